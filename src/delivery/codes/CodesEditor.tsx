import { useState } from 'react'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { CodeShares } from './CodeShares.tsx'
import { CODE_STATES, type CodeList, type CodeState, MAX_CODES, MAX_LOW } from './stock.contract.ts'
import { describeColumns, describeList, describeProblems, lastDayOf, STATE_NAMES } from './stock.texts.rules.ts'
import { useCodeStock, useNewCodes } from './useCodes.ts'

type CodesEditorProps = {
  productId: string
  onChange: () => void
}

const ALL = 'all'

export function CodesEditor({ productId, onChange }: CodesEditorProps) {
  const [shown, setShown] = useState<CodeState | typeof ALL>(ALL)
  const stock = useCodeStock(productId, shown === ALL ? undefined : shown, onChange)
  const { counts, lowAt, isError, refetch } = stock
  if (isError) return <ErrorState title="Couldn’t load the codes" onRetry={() => void refetch()} />
  if (!counts && shown === ALL) return <Skeleton height="12rem" />
  const states = CODE_STATES.filter((state) => counts && counts[state] > 0)
  return (
    <>
      <p role="status">
        <strong>{counts ? describeFree(counts.free) : '…'}</strong>
      </p>
      {counts && <CodeShares counts={counts} />}
      <NewCodes productId={productId} onChange={stock.refresh} />
      {lowAt !== undefined && <LowStock key={lowAt} lowAt={lowAt} onSave={(count) => stock.warn.mutate(count)} />}
      {counts && states.length > 0 && (
        <div className="stack">
          <Segment
            label="Codes"
            options={[
              { value: ALL, label: 'All' },
              ...states.map((state) => ({
                value: state,
                label: `${STATE_NAMES[state]} (${counts[state].toLocaleString('en')})`,
              })),
            ]}
            value={shown}
            onChange={setShown}
          />
          <Codes stock={stock} />
          {stock.returnable > 0 && (
            <Button
              className="self-start"
              isBusy={stock.putBack.isPending}
              onClick={() => stock.putBack.mutate(undefined)}
            >
              {stock.returnable === 1
                ? 'Put the withdrawn code back on sale'
                : `Put ${stock.returnable.toLocaleString('en')} withdrawn codes back on sale`}
            </Button>
          )}
          {counts.free > 0 && (
            <WithdrawAll
              count={counts.free}
              isBusy={stock.withdraw.isPending}
              onWithdraw={() => stock.withdraw.mutate(undefined)}
            />
          )}
        </div>
      )}
    </>
  )
}

const describeFree = (free: number): string => {
  if (free === 0) return 'Add at least one code.'
  return free === 1 ? 'One code is for sale.' : `${free.toLocaleString('en')} codes are for sale.`
}

function NewCodes({ productId, onChange }: CodesEditorProps) {
  const { typed, type, checked, check, add, goBack } = useNewCodes(productId, onChange)
  const [isTried, setTried] = useState(false)
  const isEmpty = typed.file === null && typed.text.trim() === ''
  if (checked)
    return (
      <section className="well stack" aria-label="What the list holds">
        <Checked list={checked} />
        <div className="row">
          {checked.fresh > 0 && (
            <Button tone="primary" isBusy={add.isPending} onClick={() => add.mutate()}>
              {checked.fresh === 1 ? 'Add one code' : `Add ${checked.fresh.toLocaleString('en')} codes`}
            </Button>
          )}
          <Button disabled={add.isPending} onClick={goBack}>
            Change the list
          </Button>
        </div>
      </section>
    )
  return (
    <div className="stack">
      <Field
        label="New codes, one a line"
        {...(isTried && isEmpty && { error: 'Paste codes, or choose a file.' })}
        hint="We keep them encrypted. Nothing is added before you have seen what the list holds."
      >
        {(control) => (
          <textarea
            {...control}
            className="input mono"
            rows={4}
            spellCheck={false}
            autoComplete="off"
            disabled={typed.file !== null}
            value={typed.text}
            onChange={({ target }) => type({ text: target.value })}
          />
        )}
      </Field>
      <div className="formgrid">
        <Field
          label="Or a text or CSV file"
          hint={`Up to ${MAX_CODES.toLocaleString('en')} codes. A CSV may have the columns code, PIN, serial and valid until.`}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="file"
              accept=".txt,.csv,text/plain,text/csv"
              onChange={({ target }) => type({ file: target.files?.[0] ?? null })}
            />
          )}
        </Field>
        <Field label="Last day of these codes" note="optional" hint="They aren’t sold after it.">
          {(control) => (
            <input
              {...control}
              className="input"
              type="date"
              value={typed.day}
              onChange={({ target }) => type({ day: target.value })}
            />
          )}
        </Field>
      </div>
      <Button
        className="self-start"
        isBusy={check.isPending}
        onClick={() => {
          setTried(true)
          if (!isEmpty) check.mutate()
        }}
      >
        Check the list
      </Button>
    </div>
  )
}

function Checked({ list }: { list: CodeList }) {
  const problems = describeProblems(list)
  const columns = describeColumns(list.columns)
  return (
    <>
      <p role="status">
        <strong>{describeList(list)}</strong>
      </p>
      {columns !== '' && <p>{columns}</p>}
      {problems.length > 0 && (
        <ul className="bullets small" aria-label="Lines that add nothing">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function LowStock({ lowAt, onSave }: { lowAt: number; onSave: (count: number) => void }) {
  const [value, setValue] = useState(String(lowAt))
  return (
    <Field label="Tell me when so few are left" hint="Choose how we tell you under Settings.">
      {(control) => (
        <input
          {...control}
          className="input num"
          inputMode="numeric"
          maxLength={5}
          value={value}
          onChange={({ target }) => setValue(target.value.replace(/\D/g, ''))}
          onBlur={() => {
            const count = Math.min(Number(value), MAX_LOW)
            setValue(String(count))
            if (count !== lowAt) onSave(count)
          }}
        />
      )}
    </Field>
  )
}

function Codes({ stock }: { stock: ReturnType<typeof useCodeStock> }) {
  const { codes, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, withdraw, putBack } = stock
  if (isPending) return <Skeleton height="8rem" />
  return (
    <>
      {/* focusable, so that keyboard users can scroll it */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="list--long" role="region" aria-label="Stock list" tabIndex={0}>
        <ul className="list" aria-label="Codes">
          {codes.map(({ id, mask, hasPin, hasSerial, state, canReturn, addedAt, expiresAt }) => (
            <li key={id} className="list__row">
              <span className="grow">
                <span className="mono">{mask}</span>
                <small>
                  {STATE_NAMES[state]}
                  {hasPin && ', with PIN'}
                  {hasSerial && ', with serial number'}, added {formatDay(addedAt)}
                  {expiresAt && `, last day ${lastDayOf(expiresAt)}`}
                </small>
              </span>
              {state === 'free' && (
                <Button
                  tone="quiet"
                  aria-label={`Withdraw ${mask}`}
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(id)}
                >
                  Withdraw
                </Button>
              )}
              {canReturn && (
                <Button
                  tone="quiet"
                  aria-label={`Put back ${mask}`}
                  disabled={putBack.isPending}
                  onClick={() => putBack.mutate(id)}
                >
                  Put back
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {hasNextPage && (
        <div className="row row--center more">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

function WithdrawAll({ count, isBusy, onWithdraw }: { count: number; isBusy: boolean; onWithdraw: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button tone="bad-line" className="self-start" isBusy={isBusy} onClick={() => setAsking(true)}>
        Withdraw all codes for sale
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={count === 1 ? 'Withdraw one code?' : `Withdraw ${count.toLocaleString('en')} codes?`}
        label="Withdraw"
        tone="bad-line"
        onConfirm={onWithdraw}
      >
        Your product sells out. Buyers keep the codes that they have. You can put the others back on sale.
      </ConfirmDialog>
    </>
  )
}
