import { toastFailure } from '../../identity/toastFailure.client.ts'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { type AddProductValues, EMPTY, problemsOf } from './addProduct.rules.ts'

type AddProductFormInput = {
  draft: AddProductValues | undefined
  /** True if the title comes from a file. The field can then be empty. */
  isNamedByFile: (values: AddProductValues) => boolean
  storeDraft: (values: AddProductValues) => void
  save: (values: AddProductValues) => Promise<void>
}

const FAILED = 'Failed to create product. Please try again.'

export const useAddProductForm = ({ isNamedByFile, ...input }: AddProductFormInput) =>
  useSavedForm({
    ...input,
    saved: EMPTY,
    valuesOf: (empty) => empty,
    problemsOf: (values) => problemsOf(values, isNamedByFile(values)),
    failure: FAILED,
    onFailure: (error) => toastFailure(error, FAILED),
  })

export type AddProductForm = ReturnType<typeof useAddProductForm>
