/** Things with attributes in the mart, each with its `dim_…_attribute` and `bridge_…_attribute`. */
export const attributeSubjects = ["zone", "campaign", "item"] as const;
export type AttributeSubject = (typeof attributeSubjects)[number];
