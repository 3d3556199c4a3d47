/** A code: a number, and on many cards a PIN and a serial number. A missing part is empty. */
export type CodeParts = { code: string; pin: string; serial: string }
