import type { ReadFile } from './reading.contract.ts'

/** Props of the book readers. */
export type ReaderProps = { lineId: string; file: ReadFile; onDownload: () => void }
