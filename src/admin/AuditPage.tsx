import { type FormEvent, useState } from 'react'
import type { AuditEntry } from '../identity/audit/audit.contract.ts'
import { describeDetails, type Kind, KINDS, nameOfAct } from '../identity/audit/audit.rules.ts'
import { formatDay, formatMoment } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Field } from '../ui/form/Field.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { AdminNav } from './AdminNav.tsx'
import { StaffGate } from '../identity/StaffGate.tsx'
import { useAudit } from './useAudit.ts'

const kinds = [
  { value: 'all', label: 'Everything' },
  ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
]

export function AuditPage() {
  const [kind, setKind] = useState<Kind>()
  const [q, setQ] = useState('')
  const audit = useAudit(kind, q)
  const { entries } = audit
  return (
    <StaffGate nav={<AdminNav />}>
      <div className="section gap-4">
        <AdminNav />
        <PageHead title="Audit log" about="What staff did, newest first. Nothing here can be changed or removed." />
        <Filter kind={kind} onKind={setKind} onFind={setQ} />
        {audit.isError && !entries ? (
          <ErrorState
            title="Couldn’t load the log"
            onRetry={() => void audit.refetch()}
            isRetrying={audit.isFetching}
          />
        ) : !entries ? (
          <Loading />
        ) : entries.length === 0 ? (
          <EmptyState scene="receipt" title="No entries">
            {kind || q
              ? 'Nothing matches. Choose Everything and clear the search.'
              : 'Staff activity will show up here.'}
          </EmptyState>
        ) : (
          <>
            <ol className="list">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            {audit.hasNextPage && (
              <Button
                className="self-center"
                isBusy={audit.isFetchingNextPage}
                onClick={() => void audit.fetchNextPage()}
              >
                Show earlier entries
              </Button>
            )}
          </>
        )}
      </div>
    </StaffGate>
  )
}

type FilterProps = { kind: Kind | undefined; onKind: (kind: Kind | undefined) => void; onFind: (q: string) => void }

function Filter({ kind, onKind, onFind }: FilterProps) {
  const [typed, setTyped] = useState('')
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind(typed.trim())
  }
  return (
    <form className="finder" role="search" onSubmit={find}>
      <Field label="About">
        {(field) => (
          <Select
            {...field}
            options={kinds}
            value={kind ?? 'all'}
            onChange={({ target }) => onKind(target.value in KINDS ? (target.value as Kind) : undefined)}
          />
        )}
      </Field>
      <div>
        <Field label="Account or id">
          {(field) => (
            <input
              {...field}
              className="input"
              type="search"
              maxLength={254}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </div>
      <Button type="submit">Find</Button>
    </form>
  )
}

function Entry({ entry: { at, actor, act, subject, details } }: { entry: AuditEntry }) {
  const about = subject && (subject.name ?? `#${subject.id.slice(-8)}`)
  const more = describeDetails(details)
  return (
    <li className="list__row row--top">
      <span className="grow wrap-anywhere">
        <strong>
          {nameOfAct(act)}
          {about && `: ${about}`}
        </strong>
        <small>By {actor ?? 'the command line'}</small>
        {more && <small>{more}</small>}
      </span>
      <time className="audit__at muted small num" dateTime={at} title={formatDay(at)}>
        {formatMoment(at)}
      </time>
    </li>
  )
}

const Loading = () => (
  <div className="list" role="status" aria-label="Loading the log">
    {[0, 1, 2, 3, 4].map((i) => (
      <div key={i} className="list__row">
        <span className="stack grow gap-2">
          <Skeleton height="1rem" width="60%" />
          <Skeleton height="1rem" width="40%" />
        </span>
        <Skeleton height="1rem" width="4rem" />
      </div>
    ))}
  </div>
)
