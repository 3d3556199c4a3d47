import { RotateCw } from 'lucide-react'
import { Button } from '../Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type ErrorStateProps = {
  title: string
  onRetry: () => unknown
}

export const ErrorState = ({ title, onRetry }: ErrorStateProps) => (
  <div role="alert" className="card">
    <EmptyState
      scene="torn"
      title={title}
      action={
        <Button icon={<RotateCw className="icon" aria-hidden />} onClick={() => void onRetry()}>
          Try again
        </Button>
      }
    >
      {navigator.onLine ? 'The store didn’t respond. Nothing was lost.' : 'You’re offline right now.'}
    </EmptyState>
  </div>
)
