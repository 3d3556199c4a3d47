import type { ReactNode } from 'react'
import { PageTitle } from '../PageHead.tsx'
import scenes from './scenes.svg'

type EmptyStateProps = {
  scene: 'receipt' | 'ticket' | 'search' | 'shelf' | 'torn'
  title: string
  children?: ReactNode
  action?: ReactNode
  level?: 1 | 2 | 3
  /** The state is the whole page, and its title is the title of the page. */
  isPage?: boolean
}

export function EmptyState({ scene, title, children, action, level = 2, isPage }: EmptyStateProps) {
  const Title = `h${level}` as const
  return (
    <div className="empty">
      <svg className="empty__art" viewBox="0 0 152 100" aria-hidden="true">
        <ellipse className="tint" cx="76" cy="87" rx="60" ry="9" />
        <use href={`${scenes}#${scene}`} />
      </svg>
      {isPage ? <PageTitle title={title} className="empty__title" /> : <Title className="empty__title">{title}</Title>}
      {children && <p>{children}</p>}
      {action && <div className="empty__action">{action}</div>}
    </div>
  )
}
