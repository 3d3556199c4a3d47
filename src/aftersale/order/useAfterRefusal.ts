import { useFreshOrders } from '../../checkout/useFreshOrders.ts'

export function useAfterRefusal() {
  const refresh = useFreshOrders()
  return () => {
    // the pressed button disappears: keep the keyboard focus at the order
    document.activeElement?.closest('[data-order]')?.querySelector('a')?.focus()
    void refresh()
  }
}
