import type { ReadFile } from './reading.contract.ts'

export type ReaderProps = { lineId: string; file: ReadFile; onDownload: () => void }
