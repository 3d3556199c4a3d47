import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { readFilters, shelfPath } from './shelf.rules.ts'

const DEBOUNCE_MS = 100

export function SearchField({ className, isFocused }: { className?: string; isFocused: boolean }) {
  const [location, navigate] = useLocation()
  const [search] = useSearchParams()
  const isShelf = location === '/categories'
  const filters = readFilters(search)
  const q = isShelf ? filters.q : ''
  const [typed, setTyped] = useState(q)
  const sent = useRef(q)
  const input = useRef<HTMLInputElement>(null)

  // shows a search that changed elsewhere, for example by Back
  useEffect(() => {
    if (q !== sent.current) setTyped(q)
    sent.current = q
  }, [q])

  const show = (text: string) => {
    sent.current = text.trim() && text
    navigate(shelfPath({ ...(isShelf && filters), q: sent.current }), { replace: isShelf })
  }
  useEffect(() => {
    if (!isShelf || typed === sent.current) return
    const timer = setTimeout(() => show(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  })

  useEffect(() => {
    if (isFocused) input.current?.focus({ preventScroll: true })
  }, [isFocused])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show(typed)
  }
  return (
    <form role="search" action="/categories" className={className} onSubmit={submit}>
      <label className="affix">
        <Search className="icon" aria-hidden />
        <input
          ref={input}
          className="input"
          type="search"
          name="q"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-label="Search products"
          placeholder="Search products..."
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
    </form>
  )
}
