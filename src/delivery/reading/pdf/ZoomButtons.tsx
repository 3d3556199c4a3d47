import { SizeButtons } from '../ReaderBar.tsx'
import { MAX_ZOOM, ZOOM_STEP } from './zoom.rules.ts'

type ZoomButtonsProps = { zoom: number; onZoom: (zoom: number) => void }

export const ZoomButtons = ({ zoom, onZoom }: ZoomButtonsProps) => (
  <SizeButtons size={zoom} least={1} most={MAX_ZOOM} step={ZOOM_STEP} what="page" onChange={onZoom} />
)
