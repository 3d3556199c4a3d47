import { type Cut, percentOf, secondsOf } from './cut.rules.ts'

// Cuts the start of recordings without decoding them. `head` is the start of the file.

type Sound = { head: Buffer; sizeBytes: number; maxBytes: number }

/** Formats with samples of one size: integers, floats, and those of the extensible header. */
const SIMPLE = [1, 3, 0xfffe]

export function cutWav({ head, sizeBytes, maxBytes }: Sound): Cut | null {
  const chunks = readChunks(head)
  const [format, data] = [chunks.get('fmt '), chunks.get('data')]
  if (!format || !data || format.end > head.length || format.end - format.start < 16) return null
  const rate = head.readUInt32LE(format.start + 8)
  const block = head.readUInt16LE(format.start + 12)
  if (!SIMPLE.includes(head.readUInt16LE(format.start)) || rate === 0 || block === 0) return null
  const whole = (Math.min(data.end, sizeBytes) - data.start) / rate
  const wanted = secondsOf(whole)
  if (wanted === null) return null
  const shown = Math.min(wanted, Math.floor(Math.min(maxBytes, head.length - data.start) / rate))
  if (shown < 1) return null
  const sound = head.subarray(data.start, data.start + Math.floor((shown * rate) / block) * block)
  const kept = head.subarray(format.start, format.end)
  const bytes = Buffer.concat([
    ...[Buffer.from('RIFF'), sizeOf(20 + kept.length + sound.length), Buffer.from('WAVEfmt '), sizeOf(kept.length)],
    ...[kept, Buffer.from('data'), sizeOf(sound.length), sound],
  ])
  return { bytes, shown, whole: Math.round(whole), percent: percentOf(shown, whole) }
}

function sizeOf(bytes: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes)
  return size
}

type Chunk = { start: number; end: number }

/** Finds the chunks of a RIFF file up to its data. A chunk has an even length. */
function readChunks(head: Buffer): Map<string, Chunk> {
  const chunks = new Map<string, Chunk>()
  for (let at = 12; at + 8 <= head.length && !chunks.has('data');) {
    const [start, length] = [at + 8, head.readUInt32LE(at + 4)]
    chunks.set(head.toString('latin1', at, at + 4), { start, end: start + length })
    at = start + length + (length % 2)
  }
  return chunks
}

/** In thousands of bits a second, of layer III: MPEG 1, then MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const RATES = [44_100, 48_000, 32_000]
/** By the version bits of a frame: MPEG 2.5, none, MPEG 2, MPEG 1. */
const DIVISORS = [4, 0, 2, 1]

type Frame = { bytes: number; seconds: number; bitrate: number }

/** Reads the header of an MPEG layer III frame. */
function readFrame(head: Buffer, at: number): Frame | null {
  if (at + 4 > head.length) return null
  const [sync = 0, version = 0, rates = 0] = head.subarray(at, at + 3)
  if (sync !== 0xff || (version & 0xe6) !== 0xe2) return null
  const divisor = DIVISORS[(version >> 3) & 3] ?? 0
  const isFirst = divisor === 1
  const bitrate = (BITRATES[isFirst ? 0 : 1]?.[rates >> 4] ?? 0) * 1000
  const rate = (RATES[(rates >> 2) & 3] ?? 0) / divisor
  if (bitrate === 0 || !Number.isFinite(rate) || rate === 0) return null
  const samples = isFirst ? 1152 : 576
  const bytes = Math.floor(((samples / 8) * bitrate) / rate) + ((rates >> 1) & 1)
  return { bytes, seconds: samples / rate, bitrate }
}

export function cutMp3({ head, sizeBytes, maxBytes }: Sound): Cut | null {
  const start = skipTag(head)
  const first = readFrame(head, start)
  if (!first) return null
  const frames = countedFrames(head.subarray(start, start + first.bytes))
  const begin = frames === null ? start : start + first.bytes
  const whole = frames === null ? ((sizeBytes - start) * 8) / first.bitrate : frames * first.seconds
  const wanted = secondsOf(whole)
  if (wanted === null) return null
  let [at, seconds] = [begin, 0]
  while (seconds < wanted) {
    const frame = readFrame(head, at)
    const end = at + (frame?.bytes ?? 0)
    // the sound is shorter than its file claims, so the sample would be all of it
    if (!frame || end > sizeBytes) return null
    // without a count of frames, a quiet first frame makes the recording seem longer than it is
    if ((at - begin) * 2 > sizeBytes - begin) return null
    if (end > head.length || end - begin > maxBytes) break
    at = end
    seconds += frame.seconds
  }
  const shown = Math.min(wanted, Math.round(seconds))
  if (shown < 1) return null
  const bytes = Buffer.from(head.subarray(begin, at))
  return { bytes, shown, whole: Math.round(whole), percent: percentOf(shown, whole) }
}

/** Returns where the sound begins, after an ID3 tag. The tag's length has seven bits in each byte. */
function skipTag(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0
  return [6, 7, 8, 9].reduce((length, at) => length * 128 + (head.readUInt8(at) & 0x7f), 0) + 10
}

/** Maximum offset of the header that describes the file. */
const MAX_NOTE = 36

/** Returns the number of frames of the file from a first frame that only describes it. Null for a frame with sound. */
function countedFrames(frame: Buffer): number | null {
  const xing = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'))
  if (xing >= 0 && xing <= MAX_NOTE && xing + 12 <= frame.length)
    return (frame.readUInt32BE(xing + 4) & 1) === 1 ? frame.readUInt32BE(xing + 8) : null
  const vbri = frame.indexOf('VBRI')
  return vbri >= 0 && vbri + 18 <= frame.length ? frame.readUInt32BE(vbri + 14) : null
}
