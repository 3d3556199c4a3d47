import { lazy } from '../../ui/lazy.client.ts'
import type { CoverProps } from './PrintedCover.tsx'

const press = lazy(() => import('./PrintedCover.tsx'), 'PrintedCover')
void press.preload()

/** A product's cover; blank paper of the same size until its script has loaded. */
export function Cover(props: CoverProps) {
  const { value: PrintedCover } = press.useLoaded()
  return PrintedCover ? <PrintedCover {...props} /> : <svg className="cover" viewBox="0 0 320 240" aria-hidden />
}
