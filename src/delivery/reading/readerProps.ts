import type { ReactNode } from 'react'
import type { ReadFile } from './reading.contract.ts'

/** On phones the controls of a reader hide, so that the page has the whole screen. */
export type BarsChange = 'toggle' | 'hide'

export type ReaderProps = {
  lineId: string
  file: ReadFile
  /** The place for the buttons of the reader, next to the title. */
  tools: HTMLElement | null
  /** Links to the other files of the purchase. */
  others: ReactNode
  onBars: (change: BarsChange) => void
  onDownload: () => void
}
