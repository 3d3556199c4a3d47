import { Download } from 'lucide-react'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { FAULTS, FileFault } from './fault.ts'

type FaultStateProps = {
  failure: unknown
  title: string
  onRetry: () => void
  onDownload: () => void
}

export function FaultState({ failure, title, onRetry, onDownload }: FaultStateProps) {
  if (!(failure instanceof FileFault))
    return <ErrorState title={reasonOf(failure, isRefusal) ?? title} onRetry={onRetry} />
  const [name, text] = FAULTS[failure.fault]
  return (
    <div role="alert" className="card">
      <EmptyState
        scene="torn"
        title={name}
        action={
          <Button icon={<Download className="icon" aria-hidden />} onClick={onDownload}>
            Download
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}
