import { useEffect } from 'react'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'

/** A shorter visit is probably a press on the wrong card and does not count. */
const LOOK_MS = 1_000

const seen = new Set<string>()

export function useView(detail: ProductDetail | undefined) {
  const id = detail?.isActive && !detail.isMine ? detail.id : null
  useEffect(() => {
    if (id === null || seen.has(id)) return
    const timer = setTimeout(() => {
      if (document.hidden || !navigator.onLine) return
      seen.add(id)
      void import('./reportView.client.ts').then(({ reportView }) => reportView(id)).catch(() => undefined)
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [id])
}
