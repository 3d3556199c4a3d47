import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Section } from '../../catalogue/sellers/design.rules.ts'
import { moved } from '../../kit/values/moved.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { SECTION_NAMES } from './editor.rules.ts'

type SectionOrderProps = { sections: Section[]; onChange: (sections: Section[]) => void }

export function SectionOrder({ sections, onChange }: SectionOrderProps) {
  const list = useRef<HTMLOListElement>(null)
  const [told, setTold] = useState('')
  const move = (from: number, by: 1 | -1) => {
    const section = sections[from]
    const to = from + by
    if (!section || to < 0 || to >= sections.length) return
    onChange(moved(sections, from, to))
    setTold(`${SECTION_NAMES[section]}: ${to + 1} of ${sections.length}`)
    // a browser takes the focus from an element that moves
    requestAnimationFrame(() =>
      list.current?.children[to]?.querySelectorAll<HTMLButtonElement>('button')[by === 1 ? 1 : 0]?.focus(),
    )
  }
  return (
    <>
      <ol className="order-rows" ref={list}>
        {sections.map((section, i) => (
          <li key={section} className="row row--nowrap row--between">
            <span>{SECTION_NAMES[section]}</span>
            <span className="row row--nowrap gap-1">
              <IconButton
                label={`Move ${SECTION_NAMES[section]} up`}
                icon={<ArrowUp className="icon" aria-hidden />}
                aria-disabled={i === 0 || undefined}
                onClick={() => move(i, -1)}
              />
              <IconButton
                label={`Move ${SECTION_NAMES[section]} down`}
                icon={<ArrowDown className="icon" aria-hidden />}
                aria-disabled={i === sections.length - 1 || undefined}
                onClick={() => move(i, 1)}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="sr" role="status">
        {told}
      </p>
    </>
  )
}
