import { late } from '../ui/late.client.ts'
import type { CoverProps } from './PrintedCover.tsx'

const press = late(() => import('./PrintedCover.tsx'))
void press.begin()

/** A product's cover; plain paper of the same size until the press has come. */
export function Cover(props: CoverProps) {
  const printed = press.use()
  return printed ? <printed.PrintedCover {...props} /> : <svg className="cover" viewBox="0 0 320 240" aria-hidden />
}
