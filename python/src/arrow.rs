//! Columns in the Arrow C data interface, in capsules: what polars, pyarrow, pandas and duckdb take
//! without a copy and without a package of theirs being needed here.
//!
//! The three structs are those of <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! its stream interface. Each owns what it points to by a box behind `private_data`, which its
//! `release` drops; whoever takes a struct out of its capsule leaves it without a `release`, and
//! dropping it then does nothing. Values are lent from [`Columns`], which the box keeps alive.
#![allow(unsafe_code, reason = "structs that C programs read have pointers")]

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::Arc,
};

use finale::study::{Columns, Field, Kind, Values};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyCapsule};

/// A field may have no value.
const NULLABLE: i64 = 2;

/// What a column is.
#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// What it holds.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// Several such, one after the other; here, one.
#[repr(C)]
struct ArrowStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowStream)>,
    private_data: *mut c_void,
}

/// What structs of one kind own, and that dropping one releases it.
macro_rules! released {
    ($name:ident, $owned:ty) => {
        // SAFETY: whatever thread has it, it has it alone, and so what it owns.
        unsafe impl Send for $name {}

        impl $name {
            /// Drops what a struct owns; whoever took it out calls this once.
            unsafe extern "C" fn release(this: *mut $name) {
                // SAFETY: the interface says that the pointer is to a struct that was not released,
                // whose `private_data` was made from such a box.
                unsafe {
                    (*this).release = None;
                    drop(Box::from_raw((*this).private_data.cast::<$owned>()));
                }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it was not released, or it would have no such function.
                    unsafe { release(self) };
                }
            }
        }
    };
}

released!(ArrowSchema, OwnedSchema);
released!(ArrowArray, OwnedArray);
released!(ArrowStream, OwnedStream);

/// What a schema points to.
struct OwnedSchema {
    format: CString,
    name: CString,
    children: Children<ArrowSchema>,
    dictionary: Children<ArrowSchema>,
}

/// What an array points to.
struct OwnedArray {
    buffers: Vec<*const c_void>,
    children: Children<ArrowArray>,
    dictionary: Children<ArrowArray>,
    /// Where the buffers are.
    _memory: Memory,
}

/// What buffers point into.
#[derive(Default)]
struct Memory {
    _columns: Option<Arc<Columns>>,
    bytes: Vec<Vec<u8>>,
    offsets: Vec<i32>,
}

/// What a stream is made of.
struct OwnedStream {
    columns: Arc<Columns>,
    is_over: bool,
}

/// Structs within a struct: boxes, dropped with this.
struct Children<T>(Vec<*mut T>);

impl<T> Children<T> {
    fn new(children: Vec<T>) -> Children<T> {
        Children(children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect())
    }

    /// The only one, or nothing.
    fn only(&self) -> *mut T {
        self.0.first().copied().unwrap_or(ptr::null_mut())
    }
}

impl<T> Drop for Children<T> {
    fn drop(&mut self) {
        for &child in &self.0 {
            // SAFETY: it was made from a box, which nobody else drops: a struct that is taken out
            // of its parent leaves one here that is released.
            drop(unsafe { Box::from_raw(child) });
        }
    }
}

impl ArrowSchema {
    fn new(
        format: &str,
        name: &str,
        is_nullable: bool,
        children: Vec<ArrowSchema>,
        dictionary: Option<ArrowSchema>,
    ) -> ArrowSchema {
        let text = |text: &str| CString::new(text).expect("names have no zeros");
        let mut owned = Box::new(OwnedSchema {
            format: text(format),
            name: text(name),
            children: Children::new(children),
            dictionary: Children::new(dictionary.into_iter().collect()),
        });
        ArrowSchema {
            format: owned.format.as_ptr(),
            name: owned.name.as_ptr(),
            metadata: ptr::null(),
            flags: if is_nullable { NULLABLE } else { 0 },
            n_children: owned.children.0.len() as i64,
            children: owned.children.0.as_mut_ptr(),
            dictionary: owned.dictionary.only(),
            release: Some(ArrowSchema::release),
            private_data: Box::into_raw(owned).cast(),
        }
    }

    /// The rows of some columns.
    fn of(columns: &Columns) -> ArrowSchema {
        let children = columns.iter().map(|(field, _)| ArrowSchema::of_field(field)).collect();
        ArrowSchema::new("+s", "", false, children, None)
    }

    fn of_field(field: &Field) -> ArrowSchema {
        let plain = |format: &str, name: &str, is_nullable| {
            ArrowSchema::new(format, name, is_nullable, vec![], None)
        };
        let format = match field.kind {
            Kind::U8 => "C",
            Kind::Square | Kind::Words(_) => "c",
            Kind::I32 => "i",
            Kind::I64 => "l",
            Kind::F32 => "f",
            Kind::Text => "u",
            Kind::List(length) => &format!("+w:{length}"),
        };
        let (children, dictionary) = match field.kind {
            Kind::List(_) => (vec![plain("C", "item", false)], None),
            Kind::Words(_) => (vec![], Some(plain("u", "", false))),
            _ => (vec![], None),
        };
        ArrowSchema::new(format, &field.name, field.optional, children, dictionary)
    }
}

/// A buffer of an array.
enum Buffer {
    /// There is none: every row has a value.
    None,
    /// These bytes.
    Bytes(Vec<u8>),
    /// These offsets.
    Offsets(Vec<i32>),
    /// Memory of the columns.
    Lent(*const c_void),
}

impl ArrowArray {
    /// An array of so many rows, the first of whose buffers says which have a value.
    fn new(
        (rows, nulls): (usize, usize),
        buffers: Vec<Buffer>,
        columns: Option<&Arc<Columns>>,
        children: Vec<ArrowArray>,
        dictionary: Option<ArrowArray>,
    ) -> ArrowArray {
        let mut memory = Memory { _columns: columns.cloned(), ..Memory::default() };
        let pointers = buffers.into_iter().map(|buffer| memory.pointer(buffer)).collect();
        let mut owned = Box::new(OwnedArray {
            buffers: pointers,
            children: Children::new(children),
            dictionary: Children::new(dictionary.into_iter().collect()),
            _memory: memory,
        });
        ArrowArray {
            length: rows as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: owned.buffers.len() as i64,
            n_children: owned.children.0.len() as i64,
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.0.as_mut_ptr(),
            dictionary: owned.dictionary.only(),
            release: Some(ArrowArray::release),
            private_data: Box::into_raw(owned).cast(),
        }
    }

    /// The rows of some columns.
    fn of(columns: &Arc<Columns>) -> ArrowArray {
        let children = columns.iter().map(|column| ArrowArray::of_column(columns, column));
        let children = children.collect();
        ArrowArray::new((columns.rows(), 0), vec![Buffer::None], Some(columns), children, None)
    }

    fn of_column(columns: &Arc<Columns>, (field, values): (&Field, &Values)) -> ArrowArray {
        let rows = columns.rows();
        let (validity, nulls) = validity(field, values, rows);
        let (buffers, children, dictionary) = match values {
            Values::U8(all) => (vec![lent(all)], vec![], None),
            Values::I8(all) => match field.kind {
                Kind::Words(words) => (vec![places(all)], vec![], Some(texts(words))),
                _ => (vec![lent(all)], vec![], None),
            },
            Values::I32(all) => (vec![lent(all)], vec![], None),
            Values::I64(all) => (vec![lent(all)], vec![], None),
            Values::F32(all) => (vec![lent(all)], vec![], None),
            Values::Text(all) => {
                (text_buffers(all.iter().map(|text| text.as_deref().unwrap_or(""))), vec![], None)
            }
            Values::Lists(_, all) => {
                let buffers = vec![Buffer::None, lent(all)];
                let items = ArrowArray::new((all.len(), 0), buffers, Some(columns), vec![], None);
                (vec![], vec![items], None)
            }
        };
        let buffers = std::iter::once(validity).chain(buffers).collect();
        ArrowArray::new((rows, nulls), buffers, Some(columns), children, dictionary)
    }
}

impl Memory {
    /// Where a buffer is, from now on.
    fn pointer(&mut self, buffer: Buffer) -> *const c_void {
        match buffer {
            Buffer::None => ptr::null(),
            Buffer::Lent(pointer) => pointer,
            Buffer::Bytes(bytes) => {
                self.bytes.push(bytes);
                self.bytes.last().map_or(ptr::null(), |bytes| bytes.as_ptr().cast())
            }
            Buffer::Offsets(offsets) => {
                self.offsets = offsets;
                self.offsets.as_ptr().cast()
            }
        }
    }
}

/// The memory of a column itself.
fn lent<T>(values: &[T]) -> Buffer {
    Buffer::Lent(values.as_ptr().cast())
}

/// Places in a dictionary; those of rows without a value must be some, too.
fn places(places: &[i8]) -> Buffer {
    match places.iter().any(|&place| place < 0) {
        false => lent(places),
        true => Buffer::Bytes(places.iter().map(|&place| place.max(0) as u8).collect()),
    }
}

/// A bit for each row that has a value, and how many have none.
fn validity(field: &Field, values: &Values, rows: usize) -> (Buffer, usize) {
    if !field.optional {
        return (Buffer::None, 0);
    }
    let mut bits = vec![0_u8; rows.div_ceil(8)];
    let mut nulls = 0;
    for row in 0..rows {
        match values.has(row) {
            true => bits[row / 8] |= 1 << (row % 8),
            false => nulls += 1,
        }
    }
    (Buffer::Bytes(bits), nulls)
}

/// Offsets into the text of all rows, and that text.
fn text_buffers<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<Buffer> {
    let (mut offsets, mut bytes) = (vec![0], Vec::new());
    for text in texts {
        bytes.extend(text.as_bytes());
        offsets.push(i32::try_from(bytes.len()).expect("less than 2 GiB of words"));
    }
    vec![Buffer::Offsets(offsets), Buffer::Bytes(bytes)]
}

/// An array of words.
fn texts(words: &[&str]) -> ArrowArray {
    let buffers = text_buffers(words.iter().copied());
    let buffers = std::iter::once(Buffer::None).chain(buffers).collect();
    ArrowArray::new((words.len(), 0), buffers, None, vec![], None)
}

impl ArrowStream {
    fn of(columns: &Arc<Columns>) -> ArrowStream {
        let owned = Box::new(OwnedStream { columns: columns.clone(), is_over: false });
        ArrowStream {
            get_schema: Some(ArrowStream::get_schema),
            get_next: Some(ArrowStream::get_next),
            get_last_error: Some(ArrowStream::get_last_error),
            release: Some(ArrowStream::release),
            private_data: Box::into_raw(owned).cast(),
        }
    }

    unsafe extern "C" fn get_schema(this: *mut ArrowStream, out: *mut ArrowSchema) -> c_int {
        // SAFETY: the interface says that the stream was not released, and that there is room for a
        // schema, which is not read before it is written.
        unsafe {
            let owned = &*(*this).private_data.cast::<OwnedStream>();
            out.write(ArrowSchema::of(&owned.columns));
        }
        0
    }

    unsafe extern "C" fn get_next(this: *mut ArrowStream, out: *mut ArrowArray) -> c_int {
        // SAFETY: as in `get_schema`; nobody else uses the stream at the same time. An array of
        // zeros is one that was released, which is how a stream ends.
        unsafe {
            let owned = &mut *(*this).private_data.cast::<OwnedStream>();
            match std::mem::replace(&mut owned.is_over, true) {
                true => out.write_bytes(0, 1),
                false => out.write(ArrowArray::of(&owned.columns)),
            }
        }
        0
    }

    unsafe extern "C" fn get_last_error(_: *mut ArrowStream) -> *const c_char {
        ptr::null()
    }
}

/// Columns whose bit for bit memory Arrow can be shown.
fn checked(columns: &Columns) -> PyResult<()> {
    // Offsets of texts have 32 bits.
    let is_long = |values: &Values| match values {
        Values::Text(all) => {
            all.iter().flatten().map(String::len).sum::<usize>() > i32::MAX as usize
        }
        _ => false,
    };
    match columns.iter().any(|(_, values)| is_long(values)) {
        true => Err(PyValueError::new_err("more than 2 GiB of errors; ask for less at once")),
        false => Ok(()),
    }
}

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A capsule with the schema of some columns.
pub fn schema_capsule<'py>(py: Python<'py>, columns: &Columns) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, ArrowSchema::of(columns), SCHEMA)
}

/// A capsule with the rows of some columns.
pub fn array_capsule<'py>(
    py: Python<'py>,
    columns: &Arc<Columns>,
) -> PyResult<Bound<'py, PyCapsule>> {
    checked(columns)?;
    PyCapsule::new_with_value(py, ArrowArray::of(columns), ARRAY)
}

/// A capsule with a stream of the rows of some columns.
pub fn stream_capsule<'py>(
    py: Python<'py>,
    columns: &Arc<Columns>,
) -> PyResult<Bound<'py, PyCapsule>> {
    checked(columns)?;
    PyCapsule::new_with_value(py, ArrowStream::of(columns), STREAM)
}
