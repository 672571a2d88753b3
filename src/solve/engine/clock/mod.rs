//! What the solvers of games with a clock share: values that change with a counter, layer by layer.

mod histories;
mod interner;
mod layer_log;
mod row_log;

pub use histories::{Histories, NewHistories};
pub use interner::{Interner, Sequences, SharedInterner};
pub use layer_log::LayerLog;
pub use row_log::{ChangedRows, RowLog};
