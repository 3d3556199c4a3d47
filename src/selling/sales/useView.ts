import { useEffect } from 'react'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'

/** A shorter look is a press on the wrong card. */
const LOOK_MS = 1_000

/** Products that this tab has looked at. */
const seen = new Set<string>()

/** Tells the shop once that a member looks at a product that another member sells. */
export function useView(detail: ProductDetail | undefined) {
  const id = detail?.isActive && !detail.isMine ? detail.id : null
  useEffect(() => {
    if (id === null || seen.has(id)) return
    const timer = setTimeout(() => {
      if (document.hidden || !navigator.onLine) return
      seen.add(id)
      // a view that cannot be told is not worth a word
      void import('./reportView.client.ts').then(({ reportView }) => reportView(id)).catch(() => undefined)
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [id])
}
