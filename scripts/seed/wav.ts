import { createHash } from 'node:crypto'
import type { Sound, Voice } from './sounds.ts'

/** Samples a second. */
export const RATE = 22_050

/** What a voice sounds like: its overtones as [multiple, loudness], and how fast it rises and dies, in seconds. */
const voices: Record<Voice, { overtones: [number, number][]; attack: number; decay: number }> = {
  bell: {
    overtones: [
      [1, 1],
      [2.76, 0.4],
      [5.4, 0.15],
    ],
    attack: 0.004,
    decay: 0.7,
  },
  pluck: {
    overtones: [
      [1, 1],
      [2, 0.5],
      [3, 0.25],
      [4, 0.1],
    ],
    attack: 0.004,
    decay: 0.35,
  },
  wood: {
    overtones: [
      [1, 1],
      [3.93, 0.3],
    ],
    attack: 0.002,
    decay: 0.13,
  },
  pad: {
    overtones: [
      [1, 1],
      [1.006, 0.8],
      [2, 0.2],
    ],
    attack: 0.5,
    decay: 1.2,
  },
}

/** A mono WAV, 16 bits at 22.05 kHz: a walk over the scale whose steps come from the slug. */
export function wav({
  slug,
  voice,
  seconds,
  root,
  scale,
  pace,
}: Omit<Sound, 'title' | 'price' | 'description'>): Buffer {
  const samples = new Float64Array(seconds * RATE)
  const steps = createHash('sha256').update(slug).digest()
  const { overtones, attack, decay } = voices[voice]
  // The last note starts early enough to die away.
  const notes = Math.max(3, Math.floor((seconds - Math.min(1.2, decay * 2)) * pace))
  let degree = steps[31]! % 3
  for (let note = 0; note < notes; note++) {
    const isLast = note === notes - 1
    const frequency = root * 2 ** (scale[isLast ? 0 : degree]! / 12)
    const loudness = note % 4 === 0 ? 1 : 0.7
    const start = Math.floor((note / pace) * RATE)
    for (let i = start; i < samples.length; i++) {
      const t = (i - start) / RATE
      if (t > decay * 7 + attack) break
      let value = 0
      for (const [multiple, share] of overtones) value += share * Math.sin(2 * Math.PI * frequency * multiple * t)
      samples[i]! += value * loudness * Math.min(1, t / attack) * Math.exp(-t / decay)
    }
    degree = Math.max(0, Math.min(scale.length - 1, degree + [-2, -1, -1, 1, 1, 2, 3][steps[note % 31]! % 7]!))
  }
  return riff(samples)
}

/** The samples at full but not clipped loudness, faded at the end, behind the 44 bytes of a PCM header. */
function riff(samples: Float64Array) {
  const peak = samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 1e-9)
  const fade = RATE * 0.25
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples.length * 2, 40)
  for (const [i, sample] of samples.entries())
    bytes.writeInt16LE(Math.round((sample / peak) * 26_000 * Math.min(1, (samples.length - 1 - i) / fade)), 44 + i * 2)
  return bytes
}
