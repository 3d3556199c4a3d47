import { RotateCw } from 'lucide-react'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type ErrorStateProps = {
  /** What could not be loaded: 'Couldn’t load the orders'. */
  title: string
  onRetry: () => void
  isRetrying?: boolean
}

/** In the place of something that could not be loaded, with another try. */
export const ErrorState = ({ title, onRetry, isRetrying }: ErrorStateProps) => (
  <div role="alert" className="card">
    <EmptyState
      scene="torn"
      title={title}
      action={
        <Button icon={<RotateCw className="icon" aria-hidden />} isBusy={isRetrying} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {navigator.onLine ? 'The store didn’t respond. Nothing was lost.' : 'You’re offline right now.'}
    </EmptyState>
  </div>
)
