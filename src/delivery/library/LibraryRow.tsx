import { CloudOff, Download, Ellipsis, RefreshCw, TriangleAlert } from 'lucide-react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { useSession } from '../../identity/sessions/useSession.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { useDownload } from '../files/useDownload.ts'
import { readPath, verbOf } from '../reading/verb.rules.ts'
import { openKept } from './kept.client.ts'
import { bytesOfKept, type StoredFile } from './kept.rules.ts'
import type { Owned } from './library.contract.ts'
import { CLOSED_TEXTS, describeOwned } from './library.rules.ts'

type LibraryRowProps = {
  owned: Owned
  kept: StoredFile | undefined
  onOpen: () => void
  onMore: () => void
  onRefused: () => void
}

export function LibraryRow(props: LibraryRowProps) {
  const { owned, kept, onMore } = props
  const { orderId, productId, coverId, title, categoryId, imageUrl, bundle, seller, boughtAt, closedBy, files } = owned
  return (
    <li>
      <ProductImage
        product={{ id: coverId ?? productId, title, categoryId, imageUrl }}
        sizes="96px"
        className="thumb"
      />
      <div className="lib__text">
        <h2>
          <Link href={`/orders/${orderId}`}>{title}</Link>
        </h2>
        <p className="lib__meta num">
          <span>{describeOwned(owned)}</span>
          <span>{seller}</span>
          {bundle && (
            <span>
              From <bdi>{bundle}</bdi>
            </span>
          )}
          <span>{formatDay(boughtAt)}</span>
          {files?.hasNewer && (
            <span className="lib__new">
              <RefreshCw className="icon" aria-hidden />
              New version
            </span>
          )}
          {kept && (
            <span className="tone-ok">
              <CloudOff className="icon" aria-hidden />
              On this device, {formatBytes(bytesOfKept([kept]))}
            </span>
          )}
        </p>
        {closedBy && (
          <p className="lib__closed small">
            <TriangleAlert className="icon" aria-hidden />
            {CLOSED_TEXTS[closedBy]}
          </p>
        )}
      </div>
      <div className="lib__do">
        {!closedBy && <PrimaryAction {...props} />}
        <IconButton label={`More for ${title}`} icon={<Ellipsis className="icon" aria-hidden />} onClick={onMore} />
      </div>
    </li>
  )
}

function PrimaryAction({ owned, kept, onOpen, onRefused, onMore }: LibraryRowProps) {
  const { id, orderId, kind, title, files } = owned
  const { user } = useSession()
  const { download, busyLine } = useDownload(orderId, onRefused)
  const isOnline = useOnline()
  const stored = kept?.files.find((file) => verbOf(file.fileName)) ?? kept?.files[0]
  if (!isOnline && !stored && kind !== 'course') return <OfflineAction owned={owned} />
  if (kind === 'code')
    return (
      <Button tone="soft" aria-label={`Reveal the code of ${title}`} onClick={onOpen}>
        Reveal
      </Button>
    )
  if (kind === 'course')
    return (
      <LinkButton tone="soft" aria-label={`Open ${title}`} href={`/learn/${id}`}>
        Open
      </LinkButton>
    )
  if (kind === 'license')
    return (
      <Button tone="soft" aria-label={`Key and devices of ${title}`} onClick={onOpen}>
        Key
      </Button>
    )
  const verb = isOnline ? files && verbOf(files.name) : stored && verbOf(stored.fileName)
  if (verb)
    return (
      <LinkButton tone="soft" aria-label={`${verb} ${title}`} href={readPath(id, isOnline ? undefined : stored?.id)}>
        {verb}
      </LinkButton>
    )
  const save = () => {
    if (files && files.count > 1) onMore()
    else if (stored && !isOnline && user) void openKept(user.id, id, stored)
    else void download(id)
  }
  return (
    <Button
      tone="soft"
      icon={<Download className="icon" aria-hidden />}
      isBusy={busyLine !== null}
      aria-label={`Download ${title}`}
      onClick={save}
    >
      Download
    </Button>
  )
}

export const OFFLINE_REASON = 'library-offline'

function OfflineAction({ owned: { kind, title, files } }: { owned: Owned }) {
  const verb = kind === 'code' ? 'Reveal' : kind === 'license' ? 'Key' : ((files && verbOf(files.name)) ?? 'Download')
  return (
    <Button tone="soft" aria-disabled aria-label={`${verb} ${title}`} aria-describedby={OFFLINE_REASON}>
      {verb}
    </Button>
  )
}
