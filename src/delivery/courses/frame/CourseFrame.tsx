import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProductImage } from '../../../catalogue/covers/ProductImage.tsx'
import { isMissing } from '../../../kit/call.client.ts'
import { Link, LinkButton } from '../../../ui/Link.tsx'
import { PageTitle } from '../../../ui/PageHead.tsx'
import { EmptyState } from '../../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import type { TakenCourse } from '../learning.contract.ts'

type Place = { href: string; label: string }

type CourseFrameProps = {
  back: Place
  /** The text and the link for an unknown course. */
  missing: { text: string; link: Place }
  error: Error | null
  onRetry: () => void
  /** The course. Undefined until it has loaded. */
  children: ReactNode
}

/** The page of a course: the link back, and the course or its state. */
export const CourseFrame = ({ back, missing, error, onRetry, children }: CourseFrameProps) => (
  <div className="section gap-4">
    <Link href={back.href} className="link link--back">
      <ChevronLeft className="icon icon--sm" aria-hidden />
      {back.label}
    </Link>
    {children ??
      (isMissing(error) || error?.message.startsWith('400') ? (
        <div className="card">
          <EmptyState
            isPage
            scene="search"
            title="Course not found"
            action={<LinkButton href={missing.link.href}>{missing.link.label}</LinkButton>}
          >
            {missing.text}
          </EmptyState>
        </div>
      ) : error ? (
        <>
          <PageTitle title="Course" className="sr" />
          <ErrorState title="Couldn’t load the course" onRetry={onRetry} />
        </>
      ) : (
        <div className="stack gap-4" role="status" aria-label="Loading the course">
          <Skeleton height="2.5rem" width="60%" />
          <Skeleton height="20rem" />
        </div>
      ))}
  </div>
)

type CourseHeadProps = {
  course: Pick<TakenCourse, 'productId' | 'title' | 'categoryId' | 'imageUrl'>
  about: string
}

/** The cover and the title of a course, above its lessons. */
export const CourseHead = ({ course, about }: CourseHeadProps) => (
  <div className="row row--nowrap">
    <ProductImage product={{ ...course, id: course.productId }} sizes="64px" className="thumb thumb--sm" />
    <div className="grow">
      <h2 className="text-18">{course.title}</h2>
      <p className="muted small num">{about}</p>
    </div>
  </div>
)
