import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { storeName } from '../kit/storeName.client.ts'

let isHeadingAwaited = false

/** Moves the focus to the heading of the next page. */
export function awaitHeading() {
  isHeadingAwaited = true
}

type PageTitleProps = { title: string; className?: string; children?: ReactNode }

/** The only h1 of a page. Sets the title of the browser tab, and gets the focus after a navigation. */
export function PageTitle({ title, className, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${storeName()}`
  }, [title])
  useLayoutEffect(() => {
    if (!isHeadingAwaited) return
    isHeadingAwaited = false
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children ?? title}
    </h1>
  )
}

export const PageHead = ({ title, about, action }: { title: string; about?: ReactNode; action?: ReactNode }) => (
  <div className="pagehead">
    <div>
      <PageTitle title={title} />
      {about && (
        <p className="num" role="status">
          {about}
        </p>
      )}
    </div>
    {action}
  </div>
)
