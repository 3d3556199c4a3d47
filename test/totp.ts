import { codeAt } from '../src/identity/second-factor/totp.server.ts'

export function fromBase32(key: string): Buffer {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => parseInt(byte, 2)),
  )
}

/** Returns the app on the phone, which shows the current code, or the code of `later` half minutes later. */
export const appOf = (key: string) => (later: number) =>
  codeAt(fromBase32(key), Math.floor(Date.now() / 30_000) + later)
