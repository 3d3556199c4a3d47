import { useState } from 'react'
import { type AuditEntry, listAudit } from '../../identity/audit/audit.contract.ts'
import { describeDetails, type Kind, KINDS, nameOfAct } from '../../identity/audit/audit.rules.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { Finder, Found } from '../StaffSearch.tsx'
import { daysOf, pathOfSubject } from './auditList.rules.ts'

const ALL = 'all'
const kinds = [
  { value: ALL, label: 'Everything' },
  ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
]

export function AuditPage() {
  const [asked, setAsked] = useState({ q: '', choice: ALL })
  const q = asked.q || undefined
  const kind = asked.choice === ALL ? undefined : (asked.choice as Kind)
  const log = useList({ ...pagesOf(listAudit, { limit: 50, kind, q }), refetchOnMount: 'always' })
  return (
    <StaffPage
      title="Audit log"
      about="What staff did and security events, newest first. Nothing here can be changed or removed."
    >
      <Finder
        asked={asked}
        onAsk={setAsked}
        list={log}
        label="Account or id"
        choiceLabel="About"
        choices={kinds}
        isChoiceFirst
      />
      <Found
        list={log}
        name="the log"
        more="Show earlier entries"
        empty={
          <EmptyState scene="receipt" title="No entries">
            {kind || q
              ? 'Nothing matches. Choose Everything and clear the search.'
              : 'Staff activity will show up here.'}
          </EmptyState>
        }
      >
        {daysOf(log.items, (entry) => formatDay(entry.at)).map(([day, entries]) => (
          <section key={day} className="section" aria-label={day}>
            <h2 className="text-16">{day}</h2>
            <ol className="list">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
          </section>
        ))}
      </Found>
    </StaffPage>
  )
}

function Entry({ entry: { at, actor, act, subject, details } }: { entry: AuditEntry }) {
  const about = subject && (subject.name ?? `#${subject.id.slice(-8)}`)
  const path = subject && pathOfSubject(act, subject.id)
  const more = describeDetails(details)
  return (
    <li className="list__row row--top">
      <span className="grow wrap-anywhere">
        <strong>
          {nameOfAct(act)}
          {about && ': '}
          {path ? (
            <Link className="text-link" href={path}>
              {about}
            </Link>
          ) : (
            about
          )}
        </strong>
        <small>By {actor ?? (act.startsWith('security.') ? 'a visitor' : 'the command line')}</small>
        {more && <small>{more}</small>}
      </span>
      <time className="audit__at muted small num" dateTime={at} title={formatDay(at)}>
        {formatMoment(at)}
      </time>
    </li>
  )
}
