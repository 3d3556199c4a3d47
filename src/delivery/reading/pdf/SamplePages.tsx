import '../reader.css'
import '../look/papers.css'
import { useEffect, useState } from 'react'
import { startDownload } from '../../../kit/download/startDownload.client.ts'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { FaultState } from '../FaultState.tsx'
import { openRanges } from '../openFile.client.ts'
import { openPdf, type OpenPdf } from './pdf.client.ts'
import { PdfPages } from './PdfPages.tsx'
import { ZoomButtons } from './ZoomButtons.tsx'

export function SamplePages({ url, title }: { url: string; title: string }) {
  const [opened, setOpened] = useState<OpenPdf | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState(1)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    let open: OpenPdf | null = null
    void (async () => {
      try {
        open = await openPdf(await openRanges(async () => url), setFailure)
        if (isOver) open.close()
        else setOpened(open)
      } catch (error) {
        if (!isOver) setFailure(error)
      }
    })()
    return () => {
      isOver = true
      open?.close()
    }
  }, [url, tries])
  const retry = () => {
    setFailure(null)
    setOpened(null)
    setTries(tries + 1)
  }
  const download = () => startDownload(url)
  if (failure !== null)
    return <FaultState failure={failure} title="Couldn’t open the sample" onRetry={retry} onDownload={download} />
  if (!opened) return <Skeleton height="24rem" />
  return (
    <div className="stack gap-2">
      <div className="row row--nowrap">
        <p className="grow small muted">{title}</p>
        <ZoomButtons zoom={zoom} onZoom={setZoom} />
      </div>
      <PdfPages
        pdf={opened.pdf}
        title=""
        page={page}
        zoom={zoom}
        onZoom={setZoom}
        onGo={setPage}
        onDownload={download}
      />
    </div>
  )
}
