import { Check, Sparkles, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { call, isUnauthorized } from '../../kit/call.client.ts'
import { toCents } from '../../kit/money.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { AddProductForm } from './useAddProductForm.ts'
import { analyzeProduct } from './analysis.contract.ts'
import { chosenIn, type Details, fillEmpty, isSame, type Suggestion, suggestionOf, takeAll } from './analysis.rules.ts'
import { useCategories } from '../useCatalogue.ts'

type Change = { suggestion: Suggestion; before: Details; put: Details }

/** Suggests category and price from similar products. Replaces the seller's values only on a press, with Undo. */
export function AddProductAnalysis({ form }: { form: AddProductForm }) {
  const { data: categories = [] } = useCategories()
  const { description, price, categoryId } = form.values
  const [isPending, setPending] = useState(false)
  const [change, setChange] = useState<Change | null>(null)

  const apply = (next: Change) => {
    form.put(next.put)
    setChange(next)
  }
  async function analyze() {
    setPending(true)
    try {
      const suggestion = suggestionOf(await call(analyzeProduct, { description }), categories)
      const { price, categoryId } = form.readValues()
      const before = chosenIn({ price, categoryId }, change)
      apply({ suggestion, before, put: fillEmpty(before, suggestion) })
      toast({
        title: 'Analysis Complete',
        description: 'Product details have been suggested based on your description.',
      })
    } catch (error) {
      if (!isUnauthorized(error))
        toast({ title: 'Analysis Failed', description: 'Could not analyze product description.', tone: 'bad' })
    } finally {
      setPending(false)
    }
  }
  const undo = ({ before }: Change) => {
    form.put(before)
    setChange(null)
  }
  const now = { price, categoryId }
  return (
    <div className="analysis">
      <Button
        icon={<Sparkles className="icon" aria-hidden />}
        disabled={isPending || description.trim() === ''}
        onClick={() => void analyze()}
      >
        {isPending ? 'Analyzing...' : 'AI Analyze'}
      </Button>
      <div role="status">
        {change && (
          <div className="analysis__change small">
            <p>
              <b>Suggested: {change.suggestion.text}.</b> {change.suggestion.basis}
            </p>
            {change.suggestion.nearest.length > 0 && (
              <ul className="analysis__reasons" aria-label="The nearest products">
                {change.suggestion.nearest.map(({ id, title, price }) => (
                  <li key={id} className="row row--between gap-2">
                    <span className="clamp-1">{title}</span>
                    <span className="money">{priceText(toCents(price))}</span>
                  </li>
                ))}
              </ul>
            )}
            {!isSame(now, takeAll(change.before, change.suggestion)) && (
              <Button
                tone="quiet"
                icon={<Check className="icon" aria-hidden />}
                onClick={() => apply({ ...change, put: takeAll(change.before, change.suggestion) })}
              >
                Use suggestion
              </Button>
            )}
            {!isSame(now, change.before) && (
              <Button tone="quiet" icon={<Undo2 className="icon" aria-hidden />} onClick={() => undo(change)}>
                Undo
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
