import './fileList.css'
import { useQuery } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { query } from '../../kit/query/query.client.ts'
import { useStore } from '../../kit/store.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDownload } from '../files/useDownload.ts'
import { KeepButton } from './KeepButton.tsx'
import { keptThings } from './kept.client.ts'
import type { KeptFile } from './kept.rules.ts'
import { listOwnedFiles, type OwnedFile } from './library.contract.ts'
import type { Owned } from './owned.contract.ts'

type FileListProps = {
  orderId: string
  lineId: string
  /** Null if this device stores no files. */
  owned: Owned | null
  onRefused: () => void
}

export function FileList({ orderId, lineId, owned, onRefused }: FileListProps) {
  const { data, isPending, refetch } = useQuery(query(listOwnedFiles, { id: lineId }))
  const kept = useStore(keptThings).find(({ owned: { id } }) => id === lineId)?.files ?? []
  const { download, busyLine } = useDownload(orderId, onRefused)
  const isBusy = busyLine !== null
  if (isPending) return <Skeleton height="4rem" />
  // offline, shows the files that this device stores
  if (!data && owned && kept.length > 0)
    return (
      <ul className="list files">
        {kept.map((file) => (
          <li key={file.id} className="list__row">
            <FileText file={file} />
            <KeepButton owned={owned} file={file} isKept />
          </li>
        ))}
      </ul>
    )
  if (!data)
    return (
      <p className="row small" role="alert">
        Couldn’t load the files.
        <Button tone="quiet" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    )
  const bytes = data.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return (
    <div className="stack">
      {data.length > 1 && (
        <Button
          tone="primary"
          icon={<Download className="icon" aria-hidden />}
          isBusy={isBusy}
          onClick={() => void download(lineId)}
        >
          Download all, {formatBytes(bytes)}
        </Button>
      )}
      <ul className="list files">
        {data.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            isBusy={isBusy}
            onDownload={(fileId) => void download(lineId, { fileId })}
            keep={owned && <KeepButton owned={owned} file={file} isKept={kept.some(({ id }) => id === file.id)} />}
          />
        ))}
      </ul>
    </div>
  )
}

type FileRowProps = { file: OwnedFile; isBusy: boolean; onDownload: (fileId: string) => void; keep: ReactNode }

function FileRow({ file, isBusy, onDownload, keep }: FileRowProps) {
  const { id, fileName, sha256, isStamped, newer } = file
  return (
    <li className="list__row">
      <FileText file={file}>
        {isStamped ? (
          <small>Your email address is on each page.</small>
        ) : (
          <details>
            <summary className="files__more">Checksum</summary>
            <span className="files__hash mono">
              SHA-256 {sha256.slice(0, 12)}…
              <IconButton
                label={`Copy the SHA-256 of ${fileName}`}
                icon={<Copy className="icon icon--sm" aria-hidden />}
                onClick={() => void copyText(sha256, 'The SHA-256')}
              />
            </span>
          </details>
        )}
      </FileText>
      <IconButton
        label={`Download ${fileName}`}
        look="add"
        icon={<Download className="icon" aria-hidden />}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && onDownload(id)}
      />
      {keep}
      {newer && (
        <div className="files__below stack gap-2">
          <p className="small wrap-anywhere pre-line">
            <strong>New version of {formatDay(newer.addedAt)}.</strong> {newer.note}
          </p>
          <Button tone="soft" className="self-start" isBusy={isBusy} onClick={() => onDownload(newer.id)}>
            Download the new version
          </Button>
        </div>
      )}
    </li>
  )
}

const FileText = ({ file, children }: { file: KeptFile; children?: ReactNode }) => (
  <span className="grow">
    <strong className="text-14 wrap-anywhere">{file.fileName}</strong>
    <small>{formatBytes(file.sizeBytes)}</small>
    {children}
  </span>
)
