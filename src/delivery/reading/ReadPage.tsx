import './reader.css'
import './look/papers.css'
import './fullScreen.css'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Download, FileText, Headphones, Video } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { isMissing } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useStore } from '../../kit/store.client.ts'
import { formatBytes, formatOf } from '../../localisation/sizes.rules.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useIsWide } from '../../ui/useMatches.ts'
import { useDownload } from '../files/useDownload.ts'
import { readerLook } from './look/look.client.ts'
import { isBook, opens, plays } from './media.rules.ts'
import { getReading, type ReadFile, type Reading } from './reading.contract.ts'
import type { BarsChange } from './readerProps.ts'
import { readReading } from './readReading.client.ts'
import { readPath } from './verb.rules.ts'

const waiting = <Skeleton height="30rem" />
const PdfReader = lazyPart(() => import('./pdf/PdfReader.tsx'), 'PdfReader', waiting)
const EpubReader = lazyPart(() => import('./epub/EpubReader.tsx'), 'EpubReader', waiting)
const MediaPlayer = lazyPart(() => import('./MediaPlayer.tsx'), 'MediaPlayer', waiting)

export function ReadPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...query(getReading, { id }),
    queryFn: () => readReading(id),
    refetchOnMount: 'always',
    // a position stored meanwhile is newer than the cached one
    gcTime: 0,
  })
  if (data) return <Opened id={id} reading={data} onRefused={() => void refetch()} />
  return (
    <div className="section gap-4">
      <BackLink />
      {isMissing(error) || error?.message.startsWith('400') ? (
        <div className="card">
          <EmptyState
            isPage
            scene="search"
            title="Nothing to read here"
            action={<LinkButton href="/library">Open your library</LinkButton>}
          >
            It isn’t one of yours, or it was refunded. Your order says why.
          </EmptyState>
        </div>
      ) : error ? (
        <>
          <PageTitle title="Reader" className="sr" />
          <ErrorState title="Couldn’t open it" onRetry={() => void refetch()} />
        </>
      ) : (
        <div className="stack gap-4" role="status" aria-label="Loading">
          <Skeleton height="2.5rem" width="60%" />
          {waiting}
        </div>
      )}
    </div>
  )
}

const BackLink = () => (
  <Link href="/library" className="link link--back">
    <ChevronLeft className="icon icon--sm" aria-hidden />
    <span className="reader__word">Library</span>
  </Link>
)

function Opened({ id, reading, onRefused }: { id: string; reading: Reading; onRefused: () => void }) {
  const [search] = useSearchParams()
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const [areBarsShown, setBarsShown] = useState(true)
  const { paper } = useStore(readerLook)
  const isWide = useIsWide()
  const { files, title, seller, orderId } = reading
  const file =
    files.find((one) => one.id === search.get('file')) ?? files.find((one) => opens(one.contentType)) ?? files[0]!
  const isFull = !isWide && isBook(file.contentType)
  const { download, busyLine } = useDownload(orderId, onRefused)
  const save = () => busyLine === null && void download(id, { fileId: file.id })
  const product = { ...reading, id: reading.productId }
  const others = files.length > 1 && <Files id={id} files={files} current={file} />
  const change = (bars: BarsChange) => setBarsShown(bars === 'toggle' && !areBarsShown)
  const reader = { lineId: id, file, tools, others, onBars: change, onDownload: save }
  return (
    <div
      className={`section gap-4 reading ${isFull ? 'reading--full' : ''}`}
      data-bars={areBarsShown ? undefined : 'off'}
      data-paper={isFull && paper ? paper : undefined}
    >
      <div className="reading__head">
        <BackLink />
        <div className="row row--nowrap">
          {!plays(file.contentType) && <ProductImage product={product} sizes="96px" className="thumb thumb--sm" />}
          <div className="grow">
            <PageTitle title={title} className="text-18" />
            <p className="muted small">
              {seller}, {formatOf(file.fileName)}, {formatBytes(file.sizeBytes)}
            </p>
          </div>
          <span ref={setTools} className="reader__tools" />
          <IconButton
            label={`Download ${file.fileName}`}
            look="line"
            icon={<Download className="icon" aria-hidden />}
            aria-disabled={busyLine !== null || undefined}
            onClick={save}
          />
        </div>
      </div>
      {file.contentType === 'application/pdf' ? (
        <PdfReader key={file.id} {...reader} />
      ) : file.contentType === 'application/epub+zip' ? (
        <EpubReader key={file.id} {...reader} />
      ) : plays(file.contentType) ? (
        <MediaPlayer
          key={file.id}
          track={{ lineId: id, file, title, about: seller, product, href: readPath(id, file.id) }}
          picture={<ProductImage product={product} sizes="(max-width: 767px) 80vw, 96px" className="audio__cover" />}
        />
      ) : (
        <div className="card">
          <EmptyState scene="shelf" title="This file doesn’t open here">
            Download it and open it with a program of your device.
          </EmptyState>
        </div>
      )}
      {others}
    </div>
  )
}

const ICONS = { audio: Headphones, video: Video }

function Files({ id, files, current }: { id: string; files: ReadFile[]; current: ReadFile }) {
  return (
    <nav className="stack" aria-label="Files">
      <h2 className="text-16">All files</h2>
      <ol className="toc">
        {files.map((file) => {
          const Icon = ICONS[file.contentType.split('/')[0] as 'audio'] ?? FileText
          return (
            <li key={file.id}>
              <Link
                href={readPath(id, file.id)}
                replace
                aria-current={file === current ? 'true' : undefined}
                className="wrap-anywhere"
              >
                <Icon className="icon icon--sm" aria-hidden />
                {file.fileName}
                <span className="num">{file.share > 0 ? `${Math.round(file.share * 100)} %` : ''}</span>
              </Link>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
