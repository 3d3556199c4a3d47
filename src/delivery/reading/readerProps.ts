import type { ReadFile } from './reading.contract.ts'

/** What a reader of books needs. */
export type ReaderProps = { lineId: string; file: ReadFile; onDownload: () => void }
