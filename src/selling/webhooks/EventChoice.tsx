import { useId } from 'react'
import { EVENTS, type HookEvent } from '../../notifications/hooks/hooks.contract.ts'
import { chooseEvents, EVENT_GROUPS, type EventGroup } from './eventGroups.rules.ts'

type EventChoiceProps = {
  chosen: HookEvent[]
  error: string | undefined
  /** Gets the first event, which takes the focus after a refused save. */
  firstRef: (element: HTMLElement | null) => void
  onChange: (chosen: HookEvent[]) => void
}

export const EventChoice = ({ chosen, error, firstRef, onChange }: EventChoiceProps) => (
  <fieldset className="stack gap-4">
    <legend>Events</legend>
    {EVENT_GROUPS.map((group, i) => (
      <Group
        key={group.word}
        group={group}
        chosen={chosen}
        firstRef={i === 0 ? firstRef : undefined}
        onChoose={(some, isChosen) => onChange(chooseEvents(chosen, some, isChosen))}
      />
    ))}
    {error && <p className="field__error">{error}</p>}
  </fieldset>
)

type GroupProps = {
  group: EventGroup
  chosen: HookEvent[]
  firstRef: EventChoiceProps['firstRef'] | undefined
  onChoose: (some: HookEvent[], isChosen: boolean) => void
}

function Group({ group: { title, events }, chosen, firstRef, onChoose }: GroupProps) {
  const id = useId()
  const count = events.filter((name) => chosen.includes(name)).length
  const isAll = count === events.length
  return (
    <div role="group" aria-labelledby={id}>
      <div className="row row--between">
        <h3 id={id} className="text-14">
          {title}
        </h3>
        {events.length > 1 && (
          <label className="check">
            <input
              type="checkbox"
              aria-label={`All of ${title}`}
              checked={isAll}
              ref={(input) => {
                if (input) input.indeterminate = count > 0 && !isAll
              }}
              onChange={() => onChoose(events, !isAll)}
            />
            All
          </label>
        )}
      </div>
      {events.map((name, i) => (
        <label key={name} className="check wrap-anywhere">
          <input
            type="checkbox"
            ref={i === 0 ? firstRef : undefined}
            checked={chosen.includes(name)}
            onChange={({ target }) => onChoose([name], target.checked)}
          />
          <span>
            <code>{name}</code> {EVENTS[name]}
          </span>
        </label>
      ))}
    </div>
  )
}
