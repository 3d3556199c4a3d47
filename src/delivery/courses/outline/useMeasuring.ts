import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../kit/call.client.ts'
import { plays } from '../../reading/media.rules.ts'
import { type LessonFile, saveSeconds } from '../outline.contract.ts'
import { ownPlayerPath } from '../own/ownCourse.rules.ts'
import { readSeconds } from './readSeconds.client.ts'

/** Measures recordings and films whose length the shop does not know. `onMeasured` runs after each one. */
export function useMeasuring(productId: string, files: LessonFile[], onMeasured: () => void) {
  const notify = useEffectEvent(onMeasured)
  const wanted = files
    .filter(({ contentType, seconds }) => plays(contentType) && seconds === null)
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    let isLeft = false
    async function measure() {
      for (const fileId of wanted.split(' ').filter(Boolean)) {
        const seconds = await readSeconds(ownPlayerPath(productId, fileId))
        if (isLeft) return
        if (seconds === undefined) continue
        await call(saveSeconds, { id: productId, fileId, seconds })
        notify()
      }
    }
    // without a length, the outline shows that it is not known
    measure().catch(() => undefined)
    return () => {
      isLeft = true
    }
  }, [productId, wanted])
}
