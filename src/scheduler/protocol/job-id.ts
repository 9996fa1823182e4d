/** The id of a scheduled job. */
import { z } from "zod";

export const JobId = z
  .string()
  .max(64)
  .regex(/^job_[A-Za-z0-9_-]+$/, 'expected an id that starts with "job_"')
  .brand("JobId");
export type JobId = z.infer<typeof JobId>;
