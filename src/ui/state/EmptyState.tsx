import type { ReactNode } from 'react'
import { EmptyArt } from './EmptyArt.tsx'
import type { Scene } from './scene.ts'

type EmptyStateProps = {
  scene: Scene
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The heading level of the title; 1 where the state is the whole page. */
  level?: 1 | 2 | 3
}

export function EmptyState({ scene, title, children, action, level = 2 }: EmptyStateProps) {
  const Title = `h${level}` as const
  return (
    <div className="empty">
      <EmptyArt scene={scene} />
      <Title className="empty__title">{title}</Title>
      {children && <p>{children}</p>}
      {action && <div className="empty__action">{action}</div>}
    </div>
  )
}
