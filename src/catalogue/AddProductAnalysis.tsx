import { Sparkles, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { call, isUnauthorized } from '../kit/call.client.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.client.ts'
import type { AddProductValues } from './AddProductDialog.tsx'
import { analyzeProduct } from './analysis.contract.ts'
import { suggestionOf } from './analysis.rules.ts'
import type { NewProduct } from './newProduct.contract.ts'
import { useCategories } from './useCatalogue.ts'

type Change = { text: string; before: Pick<AddProductValues, 'price' | 'categoryId'> }

/** Fills in category and price from the shop's own products that are near the description, with a way back. */
export function AddProductAnalysis({ form }: { form: UseFormReturn<AddProductValues, unknown, NewProduct> }) {
  const { data: categories = [] } = useCategories()
  const description = useWatch({ control: form.control, name: 'description' })
  const [isPending, setPending] = useState(false)
  const [change, setChange] = useState<Change | null>(null)

  const fill = (values: Change['before']) => {
    const shouldValidate = form.formState.isSubmitted
    form.setValue('price', values.price, { shouldValidate })
    form.setValue('categoryId', values.categoryId, { shouldValidate })
  }

  async function analyze() {
    setPending(true)
    try {
      const { categoryId, price, text } = suggestionOf(await call(analyzeProduct, { description }), categories)
      const now = form.getValues()
      // a second analysis is taken back to what was there before the first
      const before = change?.before ?? { price: now.price, categoryId: now.categoryId }
      fill({ price, categoryId: categoryId ?? now.categoryId })
      setChange({ text, before })
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
  const undo = () => {
    if (change) fill(change.before)
    setChange(null)
  }
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
          <p className="analysis__change small">
            <span>Price and category were filled in. {change.text}</span>
            <Button tone="quiet" icon={<Undo2 className="icon" aria-hidden />} onClick={undo}>
              Undo
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
