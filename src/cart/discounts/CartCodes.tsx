import { useState } from 'react'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Pair } from '../../ui/Pair.tsx'
import type { CartItem } from '../cart.contract.ts'
import { CodeForm } from './CodeForm.tsx'
import { codesOf, cutsOf } from './discount.rules.ts'

type CodesProps = { items: CartItem[] }

const Rows = ({ items }: CodesProps) =>
  codesOf(items, cutsOf(items)).map(({ id, code, problem, cents }) => (
    <Pair key={id} name={code} value={problem ? 'Takes nothing off' : `−${usd(cents)}`} />
  ))

function Entry({ items }: CodesProps) {
  const [hasForm, setHasForm] = useState(false)
  const codes = codesOf(items, cutsOf(items))
  return hasForm ? (
    <CodeForm codes={codes} />
  ) : (
    <Button tone="quiet" className="flush-start" onClick={() => setHasForm(true)}>
      {codes.length > 0 ? 'Change discount codes' : 'Add a discount code'}
    </Button>
  )
}

/** Loaded after the cart, which needs it only if it has a discount code. */
export const CartCodes = { cutsOf, Rows, Entry }
