const SAMPLE_BYTES = 1024 * 1024

/** Returns SHA-256 as base64; undefined without TLS, because browsers then offer no hashes. */
export async function hashOf(bytes: Blob): Promise<string | undefined> {
  const hash = await digest(await bytes.arrayBuffer())
  return hash && btoa(String.fromCharCode(...hash))
}

/** Hashes the size and samples of start, middle and end, which is fast for files of any size. */
export async function fingerprintOf(file: Blob): Promise<string | undefined> {
  const middle = Math.floor(file.size / 2)
  const samples = [0, middle, Math.max(0, file.size - SAMPLE_BYTES)].map((at) => file.slice(at, at + SAMPLE_BYTES))
  const hash = await digest(await new Blob([`${file.size}\n`, ...samples]).arrayBuffer())
  return hash && [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function digest(bytes: ArrayBuffer): Promise<Uint8Array | undefined> {
  const { subtle } = globalThis.crypto
  return subtle && new Uint8Array(await subtle.digest('SHA-256', bytes))
}
