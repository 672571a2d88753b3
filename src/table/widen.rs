//! Wide entries out of what a block packs: their places among the values that occur in it.

use super::header::Width;

/// Values that places of one byte can name.
pub(super) const FEW_VALUES: usize = 1 << 8;

/// Writes the entries of a block that come in their narrow form.
///
/// # Errors
/// It is not the narrow form of so many entries.
pub(super) fn widen(narrow: &[u8], width: Width, entries: &mut [u8]) -> Result<(), &'static str> {
    match width {
        Width::One => Err("entries of a byte have no narrow form"),
        Width::Two => widen_to::<2>(narrow, entries),
        Width::Four => widen_to::<4>(narrow, entries),
    }
}

fn widen_to<const WIDTH: usize>(narrow: &[u8], entries: &mut [u8]) -> Result<(), &'static str> {
    let (entries, _) = entries.as_chunks_mut::<WIDTH>();
    let (count, rest) = narrow.split_first_chunk().ok_or("it does not say how many values")?;
    let values = usize::from(u16::from_le_bytes(*count)) + 1;
    if values > FEW_VALUES && WIDTH != Width::Four.bytes() {
        return Err("it has more values than places can name");
    }
    if values > FEW_VALUES {
        return widen_many(values, rest, entries.as_flattened_mut());
    }
    let (values, places) = rest.split_at_checked(values * WIDTH).ok_or("it lacks values")?;
    let (values, _) = values.as_chunks::<WIDTH>();
    if places.len() != entries.len() {
        return Err("it has not as many entries as it should");
    }
    for (entry, place) in entries.iter_mut().zip(places) {
        *entry = *values.get(usize::from(*place)).ok_or("an entry is none of its values")?;
    }
    Ok(())
}

/// The same for entries of four bytes, places of two, and so many values.
fn widen_many(values: usize, rest: &[u8], entries: &mut [u8]) -> Result<(), &'static str> {
    let (entries, _) = entries.as_chunks_mut::<4>();
    let (bytes, places) = rest.split_at_checked(values * 4).ok_or("it lacks values")?;
    if places.len() != entries.len() * 2 {
        return Err("it has not as many entries as it should");
    }
    let mut value: u32 = 0;
    let values: Vec<u32> = (0..values)
        .map(|at| {
            let more = std::array::from_fn(|byte| bytes[byte * values + at]);
            value = value.wrapping_add(u32::from_le_bytes(more));
            value
        })
        .collect();
    let (places, _) = places.as_chunks::<2>();
    for (entry, place) in entries.iter_mut().zip(places) {
        let place = usize::from(u16::from_le_bytes(*place));
        *entry = values.get(place).ok_or("an entry is none of its values")?.to_le_bytes();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_are_widened_or_refused(
            narrow in prop::collection::vec(any::<u8>(), 0..40),
            number in 0..20_usize,
            width in prop::sample::select(vec![Width::One, Width::Two, Width::Four]),
        ) {
            let mut entries = vec![0; number * width.bytes()];
            let _ = widen(&narrow, width, &mut entries);
        }
    }

    #[test]
    fn what_is_no_narrow_form_is_refused() {
        let mut entries = [0; 8];
        let mut refused = |narrow: &[u8]| widen(narrow, Width::Two, &mut entries).unwrap_err();
        assert_eq!(refused(&[0]), "it does not say how many values");
        assert_eq!(refused(&[0, 1]), "it has more values than places can name");
        assert_eq!(refused(&[1, 0, 7, 7, 7]), "it lacks values");
        assert_eq!(refused(&[0, 0, 7, 7, 0, 0, 0]), "it has not as many entries as it should");
        assert_eq!(refused(&[0, 0, 7, 7, 0, 0, 0, 1]), "an entry is none of its values");
        widen(&[0, 0, 7, 9, 0, 0, 0, 0], Width::Two, &mut entries).unwrap();
        assert_eq!(entries, [7, 9, 7, 9, 7, 9, 7, 9]);
    }
}
