import { type FormEvent, type ReactNode, useState } from 'react'
import type { useList } from '../kit/query/useList.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { RowsSkeleton } from './StaffPage.tsx'

export type StaffQuery = { q: string; choice: string }

type FinderProps = {
  asked: StaffQuery
  onAsk: (asked: StaffQuery) => void
  /** The results. A repeated search refetches them. */
  list: Pick<ReturnType<typeof useList>, 'refetch' | 'isFetching' | 'isReadingMore'>
  label: string
  placeholder?: string
  choiceLabel: string
  choices: { value: string; label: string }[]
  /** The choice precedes the text field and submits without the text. Otherwise it follows and submits the text too. */
  isChoiceFirst?: boolean
}

export function Finder({ asked, onAsk, list, isChoiceFirst, label, placeholder, choiceLabel, choices }: FinderProps) {
  const [typed, setTyped] = useState(asked.q)
  const [isRepeated, setIsRepeated] = useState(false)
  const q = typed.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsRepeated(q === asked.q)
    if (q === asked.q) list.refetch()
    else onAsk({ q, choice: asked.choice })
  }
  const choice = (
    <Field label={choiceLabel}>
      {(field) => (
        <Select
          {...field}
          options={choices}
          value={asked.choice}
          onChange={({ target }) => onAsk({ q: isChoiceFirst ? asked.q : q, choice: target.value })}
        />
      )}
    </Field>
  )
  return (
    <form className="finder" role="search" onSubmit={submit}>
      {isChoiceFirst && choice}
      <div className={isChoiceFirst ? undefined : 'finder__query'}>
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
              onChange={({ target }) => {
                setTyped(target.value)
                setIsRepeated(false)
              }}
            />
          )}
        </Field>
      </div>
      {!isChoiceFirst && <div>{choice}</div>}
      <Button type="submit" isBusy={isRepeated && list.isFetching && !list.isReadingMore}>
        Find
      </Button>
    </form>
  )
}

type FoundProps = {
  list: ReturnType<typeof useList>
  /** 'the orders' */
  name: string
  more: string
  loading?: ReactNode
  empty: ReactNode
  children: ReactNode
}

export function Found({ list, name, more, loading, empty, children }: FoundProps) {
  const { items, isPending, hasError, refetch, readMore, isReadingMore } = list
  if (hasError) return <ErrorState title={`Couldn’t load ${name}`} onRetry={refetch} />
  if (isPending) return loading ?? <RowsSkeleton label={`Loading ${name}`} />
  if (items.length === 0) return empty
  return (
    <>
      {children}
      {readMore && (
        <Button className="self-center" isBusy={isReadingMore} onClick={() => void readMore().catch(() => undefined)}>
          {more}
        </Button>
      )}
    </>
  )
}
