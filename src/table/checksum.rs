//! The checksum of blocks, block indices and headers: CRC-32, as zip files have it.

/// The checksum of some bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(not(target_family = "wasm"))]
pub(super) use crc32fast::Hasher;

/// The checksum of bytes that come in pieces. The tables of [`crc32fast`] take 16 KB and hardly pack,
/// which a page loads before it has an answer; these take 1 KB.
#[cfg(target_family = "wasm")]
pub(super) struct Hasher(crc::Digest<'static, u32>);

#[cfg(target_family = "wasm")]
impl Hasher {
    pub(super) fn new() -> Hasher {
        static CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
        Hasher(CRC.digest())
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(super) fn finalize(self) -> u32 {
        self.0.finalize()
    }
}
