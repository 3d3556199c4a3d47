import { late } from './late.client.ts'

export type Scene = 'receipt' | 'ticket' | 'search' | 'shelf' | 'torn'

const art = late(() => import('./emptyScenes.tsx'))

/** A small drawing for a screen that has nothing to show. */
export const EmptyArt = ({ scene }: { scene: Scene }) => (
  <svg className="empty__art" viewBox="0 0 152 100" aria-hidden="true">
    <ellipse className="tint" cx="76" cy="87" rx="60" ry="9" />
    {art.use()?.scenes[scene]}
  </svg>
)
