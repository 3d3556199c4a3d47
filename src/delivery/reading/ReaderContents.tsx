import { List } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const ContentsDialog = lazyDialog(() => import('./ContentsDialog.tsx'), 'ContentsDialog')

export type ContentsProps = {
  entries: { title: string; note?: string }[]
  /** Index of the open entry, or -1. */
  current: number
  onGo: (index: number) => void
}

export const ReaderContents = ({ entries, current, onGo }: ContentsProps) => (
  <nav aria-label="Contents">
    <ol className="toc">
      {entries.map(({ title, note }, i) => (
        <li key={i}>
          <button type="button" aria-current={i === current ? 'location' : undefined} onClick={() => onGo(i)}>
            <span>{title}</span>
            {note !== undefined && <span className="num">{note}</span>}
          </button>
        </li>
      ))}
    </ol>
  </nav>
)

/** Opens the contents in a dialog, on screens that are too narrow to show them next to the page. */
export function ContentsButton({ others, ...contents }: ContentsProps & { others: ReactNode }) {
  const dialog = useDialog()
  if (contents.entries.length === 0 && !others) return null
  const go = (index: number) => {
    dialog.props.onClose()
    contents.onGo(index)
  }
  return (
    <>
      <IconButton label="Contents" icon={<List className="icon" aria-hidden />} onClick={dialog.open} />
      {dialog.isWanted && (
        <ContentsDialog {...dialog.props}>
          {contents.entries.length > 0 && <ReaderContents {...contents} onGo={go} />}
          {others}
        </ContentsDialog>
      )}
    </>
  )
}
