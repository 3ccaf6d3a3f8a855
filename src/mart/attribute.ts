/** Things with attributes in the mart, each with its `dim_…_attribute` and `bridge_…_attribute`. */
export const attributeSubjects = ["zone", "campaign", "item"] as const;
export type AttributeSubject = (typeof attributeSubjects)[number];

/** Local dates that stand for a missing start or end of a range. */
export const firstDate = "1900-01-01";
export const lastDate = "2099-12-31";
