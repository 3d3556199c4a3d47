import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { prefetch } from '../../kit/query/prefetch.client.ts'
import { useBackCloses } from '../../ui/backEntries.client.ts'
import './palette.css'
import { countOf, type Entry, type Group, GROUPS, moved } from './palette.rules.ts'
import { PaletteRow } from './PaletteRow.tsx'
import type { Theme } from '../../account/preferences/preferences.rules.ts'
import { addRecent, keepRecent, readRecent } from './recentSearches.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { usePaletteEntries } from './usePaletteEntries.ts'
import { usePreferences } from '../../account/preferences/preferences.client.ts'

type PaletteProps = DialogProps & {
  /** Returns the text typed while the palette loaded. After `onReady` the palette handles the keys. */
  readEarly: () => string
  onReady: () => void
  userId: string
  onAdd: () => void
}

export function Palette({ onClose, readEarly, onReady, userId, onAdd }: PaletteProps) {
  const [typed, setTyped] = useState(readEarly)
  // By id, because products that arrive later must not move the choice.
  const [choice, setChoice] = useState<string>()
  const [recent, setRecent] = useState(() => readRecent(userId))
  const [, navigate] = useLocation()
  const { preferences, change } = usePreferences()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const wanted = typed.trim()
  const entries = usePaletteEntries(wanted, recent)
  const at = Math.max(
    entries.findIndex(({ id }) => id === choice),
    0,
  )
  const chosen = entries[at]

  // The browser reports the end of a dialog in a later task. A key can reopen the palette before that.
  const leave = () => {
    dialog.current?.close()
    onClose()
  }
  usePaletteDialog(dialog, leave, () => {
    // The user may have typed since the first render.
    setTyped(readEarly())
    onReady()
  })
  useShownChoice(list, chosen)

  const forget = (searches: string[]) => setRecent(keepRecent(userId, searches))
  const run = (entry: Entry) => {
    if (entry.does === 'forget-searches') return forget([])
    if (entry.group !== 'Actions' && wanted) addRecent(userId, wanted)
    // Closes first, so that the dialog returns the focus before the action moves it.
    leave()
    if (entry.href) return navigate(entry.href)
    if (entry.does === 'add-product') return onAdd()
    if (entry.does === 'sign-out') return location.assign('/api/logout')
    if (entry.does === 'switch-mode') return change({ mode: preferences.mode === 'dark' ? 'light' : 'dark' })
    change({ theme: entry.does?.slice('theme:'.length) as Theme })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    }
    const isRemoving = event.key === 'Delete' && chosen?.group === 'Recent searches' && !typed
    if (isRemoving) forget(recent.filter((q) => q !== chosen.label))
    const isMoving = /^Arrow(Up|Down)$/.test(event.key) || (!typed && /^(Home|End)$/.test(event.key))
    if (!isMoving) return
    event.preventDefault()
    setChoice(entries[moved(at, event.key, entries.length)]?.id)
  }
  const row = (entry: Entry) => (
    <PaletteRow
      key={entry.id}
      id={`${list} ${entry.id}`}
      entry={entry}
      searched={wanted}
      aria-selected={entry === chosen}
      onPointerMove={() => setChoice(entry.id)}
      onClick={() => run(entry)}
      onRemove={() => forget(recent.filter((q) => q !== entry.label))}
    />
  )
  return (
    <dialog ref={dialog} className="palette" aria-label="Find anything" onCancel={leave} onClose={onClose}>
      <div className="palette__box">
        <PaletteHead
          list={list}
          chosenId={chosen && `${list} ${chosen.id}`}
          typed={typed}
          onPress={press}
          onType={(next) => {
            setTyped(next)
            setChoice(undefined)
          }}
          onClose={leave}
        />
        <div className="palette__list" id={list} role="listbox" aria-label="Found">
          {groupsOf(entries).map(([name, rows]) => (
            <div key={name} role="group" aria-label={name}>
              <p className="palette__group" aria-hidden>
                {name}
              </p>
              {rows.map(row)}
            </div>
          ))}
        </div>
        <PaletteFoot canForget={!wanted && recent.length > 0} />
        <p className="sr" role="status">
          {wanted && `${countOf(entries) || 'Nothing'} found`}
        </p>
      </div>
    </dialog>
  )
}

function useShownChoice(list: string, chosen: Entry | undefined) {
  useEffect(() => {
    if (chosen?.href) prefetch(chosen.href)
    document.getElementById(`${list} ${chosen?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen?.id, chosen?.href, list])
}

/** Shows the palette. A press outside its box or a step back closes it. */
function usePaletteDialog(dialog: RefObject<HTMLDialogElement | null>, leave: () => void, onShown: () => void) {
  const leaveLater = useEffectEvent(leave)
  const show = useEffectEvent(onShown)
  useBackCloses(true, leave)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    show()
    // A press on the dialog element itself is outside its box.
    const pressOutside = (event: MouseEvent) => event.target === shown && leaveLater()
    shown?.addEventListener('click', pressOutside)
    return () => shown?.removeEventListener('click', pressOutside)
  }, [dialog])
}

const groupsOf = (entries: Entry[]) =>
  GROUPS.map((name): [Group, Entry[]] => [name, entries.filter(({ group }) => group === name)]).filter(
    ([, rows]) => rows.length > 0,
  )

type PaletteHeadProps = {
  /** The id of the list that the field controls, and the id of the chosen entry. */
  list: string
  chosenId: string | undefined
  typed: string
  onPress: (event: KeyboardEvent) => void
  onType: (typed: string) => void
  onClose: () => void
}

const PaletteHead = ({ list, chosenId, typed, onPress, onType, onClose }: PaletteHeadProps) => (
  <label className="palette__head">
    <Search className="icon" aria-hidden />
    <input
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is opened to type in it
      autoFocus
      role="combobox"
      aria-label="Find products, categories, orders and actions"
      aria-expanded
      aria-controls={list}
      aria-activedescendant={chosenId}
      aria-autocomplete="list"
      placeholder="Search everything..."
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={200}
      value={typed}
      onKeyDown={onPress}
      onChange={(event) => onType(event.target.value)}
    />
    <button type="button" className="icon-btn" aria-label="Close" onClick={onClose}>
      <X className="icon" aria-hidden />
    </button>
  </label>
)

const PaletteFoot = ({ canForget }: { canForget: boolean }) => (
  <p className="palette__foot muted small">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> go, <kbd>Esc</kbd> close
    </span>
    {canForget && (
      <span>
        <kbd>Delete</kbd> forgets a search
      </span>
    )}
  </p>
)
