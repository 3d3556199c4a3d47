import { fillPath } from '../../kit/contract.ts'
import { viewProduct } from './views.contract.ts'

export function reportView(id: string) {
  navigator.sendBeacon(fillPath(viewProduct.line, { id }).path, new Blob(['{}'], { type: 'application/json' }))
}
