import { useCurrency } from './currency.client.ts'

export function AutoConverted() {
  const shown = useCurrency()
  const tell = () => import('./conversion.client.ts').then(({ reportConversion }) => reportConversion(shown))
  return (
    <button type="button" className="converted" onClick={() => void tell().catch(() => undefined)}>
      Auto-converted
    </button>
  )
}
