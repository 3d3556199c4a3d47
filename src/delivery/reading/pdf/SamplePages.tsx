import '../reader.css'
import { useEffect, useState } from 'react'
import { ErrorState } from '../../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { openPdf, type OpenPdf } from './pdf.client.ts'
import { PdfPages } from './PdfPages.tsx'

/** The pages that a seller shows before the purchase. */
export function SamplePages({ url, title }: { url: string; title: string }) {
  const [opened, setOpened] = useState<OpenPdf | null>(null)
  const [isBroken, setBroken] = useState(false)
  const [page, setPage] = useState(1)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    let open: OpenPdf | null = null
    openPdf(url).then(
      (found) => {
        open = found
        if (isOver) found.close()
        else setOpened(found)
      },
      () => !isOver && setBroken(true),
    )
    return () => {
      isOver = true
      open?.close()
    }
  }, [url, tries])
  if (isBroken)
    return (
      <ErrorState
        title="Couldn’t open the sample"
        onRetry={() => {
          setBroken(false)
          setOpened(null)
          setTries(tries + 1)
        }}
      />
    )
  if (!opened) return <Skeleton height="24rem" />
  return <PdfPages pdf={opened.pdf} title={title} page={page} onGo={setPage} onFailure={() => setBroken(true)} />
}
