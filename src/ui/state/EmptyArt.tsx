import { lazy } from '../lazy.client.ts'
import type { Scene } from './emptyScenes.tsx'

const art = lazy(() => import('./emptyScenes.tsx'), 'scenes')

export function EmptyArt({ scene }: { scene: Scene }) {
  const { value: scenes } = art.useLoaded()
  return (
    <svg className="empty__art" viewBox="0 0 152 100" aria-hidden="true">
      <ellipse className="tint" cx="76" cy="87" rx="60" ry="9" />
      {scenes?.[scene]}
    </svg>
  )
}
