import { type FormEvent, type ReactNode, useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import type { useList } from '../kit/query/useList.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { RowsSkeleton } from './StaffPage.tsx'

export type Asked = { q: string; choice: string }

type FinderProps = {
  asked: Asked
  onAsk: (asked: Asked) => void
  label: string
  placeholder?: string
  choiceLabel: string
  /** The first option stands for all. */
  choices: { value: string; label: string }[]
}

export function Finder({ asked, onAsk, label, placeholder, choiceLabel, choices }: FinderProps) {
  const [typed, setTyped] = useState(asked.q)
  const ask = (choice: string) => onAsk({ q: typed.trim(), choice })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask(asked.choice)
  }
  return (
    <form className="finder" role="search" onSubmit={submit}>
      <div className="finder__query">
        <Field label={label}>
          {(field) => (
            <input
              {...field}
              className="input"
              type="search"
              placeholder={placeholder}
              enterKeyHint="search"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={254}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </div>
      <div>
        <Field label={choiceLabel}>
          {(field) => (
            <Select {...field} options={choices} value={asked.choice} onChange={({ target }) => ask(target.value)} />
          )}
        </Field>
      </div>
      <Button type="submit">Find</Button>
    </form>
  )
}

type FoundProps = {
  list: ReturnType<typeof useList>
  /** The plural: 'orders'. */
  noun: string
  empty: ReactNode
  children: ReactNode
}

/** What a search found, newest first, page by page. */
export function Found({ list, noun, empty, children }: FoundProps) {
  const { items, isPending, hasError, refetch, readMore, isReadingMore } = list
  if (hasError) return <ErrorState title={`Couldn’t load the ${noun}`} onRetry={refetch} />
  if (isPending) return <RowsSkeleton label={`Loading the ${noun}`} />
  if (items.length === 0) return empty
  const readOn = () =>
    readMore?.().catch((error: unknown) => toastFailure(error, `Failed to load more ${noun}. Please try again.`))
  return (
    <>
      {children}
      {readMore && (
        <Button className="self-center" isBusy={isReadingMore} onClick={() => void readOn()}>
          Show earlier {noun}
        </Button>
      )}
    </>
  )
}
