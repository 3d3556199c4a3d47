import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Clock } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { StaffGate } from '../../identity/StaffGate.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import type { Integration } from '../integrations.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Field } from '../../ui/form/Field.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { checkUsdc, type Guide, GUIDE_SETTINGS, type GuideSetting } from './guide.contract.ts'

export function CryptoGuide({ integration: { state, isSandbox } }: { integration: Integration }) {
  const isStaff = useSession().user?.isAdmin
  return (
    <>
      {state === 'setup' ? (
        <p>
          <strong>Setup required.</strong>{' '}
          {isStaff
            ? 'The store can take USDC on an Ethereum-like chain, straight to your own wallet. It never holds a key that can spend.'
            : 'This store does not take crypto yet.'}
        </p>
      ) : (
        <p>
          Buyers send USDC to an address that belongs to their order alone.{' '}
          {state === 'active'
            ? 'The last check reached every node, and they agree.'
            : 'The last check failed: the nodes are away or disagree. No payment is credited until they agree.'}
          {isSandbox && ' This is a test network: no real money is charged.'}
        </p>
      )}
      {isStaff && <StaffGate>{state === 'setup' ? <Draft /> : <Running />}</StaffGate>}
    </>
  )
}

const HINTS: Record<GuideSetting, string> = {
  CRYPTO_XPUB: 'The extended public key of your wallet’s account (xpub…). Never a private key.',
  CRYPTO_RPC_URLS: 'Two or more nodes of different operators, with commas.',
  CRYPTO_CHAIN: 'The number of the chain: 8453 is Base, 1 is Ethereum.',
  CRYPTO_TOKEN: 'The address of the USDC contract on that chain, from Circle’s own list.',
  CRYPTO_CONFIRMATIONS: 'Blocks until a payment counts: such as 12 on Base.',
}

const EMPTY: Record<GuideSetting, string> = {
  CRYPTO_XPUB: '',
  CRYPTO_RPC_URLS: '',
  CRYPTO_CHAIN: '',
  CRYPTO_TOKEN: '',
  CRYPTO_CONFIRMATIONS: '',
}

/** Checks a draft of the settings and stores nothing. */
function Draft() {
  const [values, setValues] = useState(EMPTY)
  const check = useMutation({
    mutationFn: () => call(checkUsdc, values),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t check that. Please try again.'),
  })
  const isFit = check.data?.checks.every(({ state }) => state === 'ok')
  const lines = GUIDE_SETTINGS.map((name) => `${name}=${values[name].trim()}`).join('\n')
  return (
    <form
      className="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!check.isPending) check.mutate()
      }}
    >
      <p className="muted small">
        Type the five settings and check them. Then put them into the environment and restart.
      </p>
      {GUIDE_SETTINGS.map((name) => {
        const found = check.data?.checks.find((one) => one.name === name)
        return (
          <Field
            key={name}
            label={name}
            hint={found?.state === 'ok' ? found.says : HINTS[name]}
            {...(found && found.state !== 'ok' && { error: found.says })}
          >
            {(field) => (
              <input
                {...field}
                className="input mono"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                value={values[name]}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              />
            )}
          </Field>
        )
      })}
      <Button type="submit" tone="primary" isBusy={check.isPending}>
        Check
      </Button>
      <p className="small" role="status">
        {check.data && (isFit ? 'All five fit.' : 'Something does not fit yet; each setting says what.')}
      </p>
      {isFit && (
        <>
          <First address={check.data!.firstAddress} />
          <Button onClick={() => void copyText(lines, 'The five lines')}>Copy the lines for .env</Button>
        </>
      )}
    </form>
  )
}

const First = ({ address }: { address: string | null }) =>
  address && (
    <p>
      Your wallet must show this as its first address: <span className="mono wrap-anywhere">{address}</span>. If it
      shows another, stop here: the money would go elsewhere.
    </p>
  )

const LOOK_EVERY_MS = 5000
const LOOKS = {
  ok: { look: 'active', Icon: Check, name: 'Fits' },
  bad: { look: 'failed', Icon: CircleAlert, name: 'Wrong' },
  missing: { look: 'setup', Icon: Clock, name: 'Missing' },
} as const

function Running() {
  const { data, isError, refetch } = useQuery({
    queryKey: ['usdc check'],
    queryFn: () => call(checkUsdc, {}),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.test?.isConfirmed ? false : LOOK_EVERY_MS),
  })
  if (isError && !data) return <ErrorState title="Couldn’t check the settings" onRetry={() => void refetch()} />
  if (!data) return <Skeleton height="12rem" />
  return (
    <>
      <ul className="list">
        {data.checks.map(({ name, state, says }) => {
          const { look, Icon, name: word } = LOOKS[state]
          return (
            <li key={name} className="list__row">
              <span className="grow">
                <strong className="wrap-anywhere">{name}</strong>
                <small className="wrap-anywhere">{says}</small>
              </span>
              <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
                {word}
              </Badge>
            </li>
          )
        })}
      </ul>
      <First address={data.firstAddress} />
      {data.test && <TestPayment test={data.test} />}
    </>
  )
}

const TestPayment = ({
  test: { amount, received, network, isConfirmed, address },
}: {
  test: NonNullable<Guide['test']>
}) => (
  <section className="stack gap-2" aria-labelledby="usdc-test">
    <h3 id="usdc-test">A first test payment</h3>
    <p role="status">
      {isConfirmed
        ? `${received} USDC arrived and is confirmed. Everything works.`
        : Number(received) > 0
          ? `${received} USDC arrived and waits for its confirmations.`
          : `Send ${amount} USDC on ${network} to that address. This page shows when it arrives.`}
    </p>
    {!isConfirmed && <Button onClick={() => void copyText(address, 'The address')}>Copy the address</Button>}
  </section>
)
