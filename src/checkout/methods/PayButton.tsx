import { hasChoice, methodOf, useMethods } from '../../payments/methods/useMethods.ts'
import { Button, type ButtonLook } from '../../ui/Button.tsx'
import { lazy } from '../../ui/lazy.client.ts'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { type Bought, toStart } from './bought.rules.ts'
import { usePayment } from '../usePayment.ts'

const chosenPart = lazy(() => import('./ChosenPayButton.tsx'), 'ChosenPayButton')

type PayButtonProps = {
  label: string
  look: ButtonLook
  isDisabled?: boolean
  purchase: Bought
  /** The method that the order was placed with. */
  method?: string | null
}

/** Pays with the default method. Where the shop offers several, a part beside it names the method and changes it. */
export function PayButton(props: PayButtonProps) {
  const { label, look, isDisabled = false, purchase } = props
  const { value: ChosenPayButton } = chosenPart.useLoaded(hasChoice())
  const { data } = useMethods()
  const { isPaying, canPay, pay } = usePayment(methodOf(data, props.method))
  // a payment that began before the part has loaded goes on here
  if (ChosenPayButton && data && !isPaying) return <ChosenPayButton {...props} data={data} />
  return (
    <>
      <Button {...look} isBusy={isPaying} disabled={isDisabled || !canPay} onClick={() => void pay(toStart(purchase))}>
        {label}
      </Button>
      {hasChoice() && (look.isWide ? <Skeleton height="2.75rem" /> : PAY_ANOTHER_WAY)}
    </>
  )
}

/** The size of the real button. */
const PAY_ANOTHER_WAY = (
  <Button tone="quiet" disabled>
    Pay another way
  </Button>
)
