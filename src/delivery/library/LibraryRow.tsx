import { CloudOff, Ellipsis, RefreshCw, TriangleAlert } from 'lucide-react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { useSession } from '../../identity/sessions/useSession.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link } from '../../ui/Link.tsx'
import { useDownload } from '../files/useDownload.ts'
import { openKept } from './kept.client.ts'
import type { StoredFile } from './kept.rules.ts'
import type { Owned } from './owned.contract.ts'
import { CLOSED_TEXTS, describeOwned } from './library.rules.ts'
import { type Opening, openingOf } from './opening.rules.ts'
import { progressOf } from './progress.rules.ts'

type LibraryRowProps = {
  owned: Owned
  kept: StoredFile | undefined
  onOpen: () => void
  onMore: () => void
  onRefused: () => void
}

export const OFFLINE_REASON = 'library-offline'

/** A row of the library. The title's control covers the row. */
export function LibraryRow({ owned, kept, onOpen, onMore, onRefused }: LibraryRowProps) {
  const { id, orderId, productId, coverId, title, categoryId, imageUrl } = owned
  const { user } = useSession()
  const { download, busyLine } = useDownload(orderId, onRefused)
  const isOnline = useOnline()
  const opening = openingOf(owned, kept?.files ?? [], isOnline)
  const press = () => {
    if (opening?.way === 'sheet') onOpen()
    else if (opening?.way === 'files') onMore()
    else if (opening?.way === 'kept' && user) void openKept(user.id, id, opening.file)
    else if (opening?.way === 'download' && busyLine === null) void download(id)
  }
  const progress = progressOf(owned)
  return (
    <li>
      <ProductImage
        product={{ id: coverId ?? productId, title, categoryId, imageUrl }}
        sizes="96px"
        className="thumb"
      />
      <div className="lib__text">
        <h2>
          <Opener {...{ opening, title, orderId }} onPress={press} />
        </h2>
        <AboutOwned owned={owned} isKept={kept !== undefined} />
        {progress && !progress.isDone && (
          <span className="lib__bar" aria-hidden>
            <span style={{ width: `${progress.share * 100}%` }} />
          </span>
        )}
      </div>
      <div className="lib__do">
        {opening && (
          <span className={`btn btn--soft ${opening.way === 'offline' ? 'is-off' : ''}`} aria-hidden>
            {busyLine === id && <span className="spinner" />}
            {opening.act}
          </span>
        )}
        <IconButton label={`More for ${title}`} icon={<Ellipsis className="icon" aria-hidden />} onClick={onMore} />
      </div>
    </li>
  )
}

type OpenerProps = { opening: Opening | null; title: string; orderId: string; onPress: () => void }

function Opener({ opening, title, orderId, onPress }: OpenerProps) {
  const look = { className: 'lib__open clamp-2', 'aria-label': opening ? `${opening.act} ${title}` : title }
  if (!opening || opening.way === 'page')
    return (
      <Link {...look} href={opening ? opening.href : `/orders/${orderId}`}>
        {title}
      </Link>
    )
  const isOff = opening.way === 'offline'
  return (
    <button
      type="button"
      {...look}
      aria-disabled={isOff || undefined}
      aria-describedby={isOff ? OFFLINE_REASON : undefined}
      onClick={onPress}
    >
      {title}
    </button>
  )
}

/** One line: why it is closed, else a new version, else how far the owner is, else what it is. */
function AboutOwned({ owned, isKept }: { owned: Owned; isKept: boolean }) {
  if (owned.closedBy)
    return (
      <p className="lib__meta lib__meta--closed">
        <TriangleAlert className="icon" aria-hidden />
        {CLOSED_TEXTS[owned.closedBy]}
      </p>
    )
  const progress = progressOf(owned)
  const isNew = owned.files?.hasNewer && !progress
  return (
    <p className="lib__meta num">
      {isKept && (
        <span className="tone-ok">
          <CloudOff className="icon" role="img" aria-label="On this device" />
        </span>
      )}
      {isNew ? (
        <span className="lib__new">
          <RefreshCw className="icon" aria-hidden />
          New version
        </span>
      ) : (
        (progress?.text ?? describeOwned(owned))
      )}
    </p>
  )
}
