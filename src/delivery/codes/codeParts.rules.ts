/** The parts of a code. Many cards have a PIN and a serial number. A missing part is empty. */
export type CodeParts = { code: string; pin: string; serial: string }
