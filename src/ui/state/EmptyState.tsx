import type { ReactNode } from 'react'
import { PageTitle } from '../PageHead.tsx'
import { EmptyArt } from './EmptyArt.tsx'
import type { Scene } from './emptyScenes.tsx'

type EmptyStateProps = {
  scene: Scene
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The heading level of the title. */
  level?: 1 | 2 | 3
  /** The state is the whole page, and its title names the page. */
  isPage?: boolean
}

export function EmptyState({ scene, title, children, action, level = 2, isPage }: EmptyStateProps) {
  const Title = `h${level}` as const
  return (
    <div className="empty">
      <EmptyArt scene={scene} />
      {isPage ? <PageTitle title={title} className="empty__title" /> : <Title className="empty__title">{title}</Title>}
      {children && <p>{children}</p>}
      {action && <div className="empty__action">{action}</div>}
    </div>
  )
}
